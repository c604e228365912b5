"""Bounded search over whole numbers of steps. `cost` is any function of a tuple of counts."""

import itertools

SCAN_POINTS = 9
MAX_ROUNDS = 6


def minimise(cost, start, bounds):
    """The best point: each coordinate in turn over its whole range, then ever finer around it.

    Deterministic; of equal points the one nearest to where the search came from stays.
    """
    at = tuple(start)
    strides = []
    for axis, (low, high) in enumerate(bounds):
        stride = max(1, (high - low) // (SCAN_POINTS - 1))
        strides.append(stride)
        at = best_of(cost, at, axis, [*range(low, high + 1, stride), high])
    return refine(cost, at, bounds, strides)


def refine(cost, start, bounds, strides):
    """The best point near `start`, for a search whose scan has been done."""
    at = tuple(start)
    while any(stride > 1 for stride in strides):
        strides = [max(1, stride // 2) for stride in strides]
        at = descend(cost, at, bounds, strides)
    return at


def descend(cost, at, bounds, strides):
    """Steps of one stride along an axis, or along two at once, as long as they help: where one
    coordinate makes up for another, only both together go downhill."""
    moves = [move for move in itertools.product((-1, 0, 1), repeat=len(at))
             if 1 <= sum(map(abs, move)) <= 2]
    for _ in range(MAX_ROUNDS):
        before = at
        for move in moves:
            point = tuple(here + step * stride
                          for here, step, stride in zip(at, move, strides, strict=True))
            inside = all(low <= n <= high for n, (low, high) in zip(point, bounds, strict=True))
            if inside and cost(point) < cost(at):
                at = point
        if at == before:
            break
    return at


def best_of(cost, at, axis, candidates):
    points = [at, *(replaced(at, axis, candidate) for candidate in candidates)]
    return min(points, key=cost)  # the first of equal ones


def replaced(at, axis, value):
    return at[:axis] + (value,) + at[axis + 1:]


def flat_range(cost, at, axis, bounds, limit):
    """(low, high): how far the coordinate can go from `at` with a cost of at most `limit`."""
    return tuple(edge(lambda count: cost(replaced(at, axis, count)) <= limit, at[axis], end)
                 for end in bounds[axis])


def edge(holds, inside, end):
    """The last whole number towards `end` for which `holds` still is true, between `inside`, where
    it is, and `end`: by doubling, then by halving. One step of the function is assumed."""
    direction = 1 if end >= inside else -1
    reach = 1
    good = inside
    while good != end:
        candidate = inside + direction * min(reach, abs(end - inside))
        if not holds(candidate):
            return bisect(holds, good, candidate)
        good = candidate
        reach *= 2
    return good


def bisect(holds, good, bad):
    while abs(bad - good) > 1:
        middle = (good + bad) // 2
        if holds(middle):
            good = middle
        else:
            bad = middle
    return good
