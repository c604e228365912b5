"""Bounded search over whole numbers of steps. `cost` is any function of a tuple of counts."""

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
    """Steps of one stride along one axis at a time, as long as they help."""
    for _ in range(MAX_ROUNDS):
        before = at
        for axis, stride in enumerate(strides):
            low, high = bounds[axis]
            candidates = [at[axis] - stride, at[axis] + stride]
            at = best_of(cost, at, axis, [c for c in candidates if low <= c <= high])
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
