"""Bounded search over whole numbers of steps, by scipy. `cost` is any function of a tuple of counts
that remembers its answers."""

import bisect

from scipy import optimize

RESOLUTION = 0.06  # of the bounds: how fine the scan gets
DESCENT = 0.03  # of the bounds: the size of the first steps after the scan


def minimise(cost, start, bounds):
    """The best point: DIRECT over the whole bounds, then downhill from the best point so far.

    Deterministic; of equal points the start stays.
    """
    found = optimize.direct(on_counts(cost), bounds, len_tol=RESOLUTION, vol_tol=0)
    at = min(tuple(start), rounded(found.x), key=cost)
    return descend(cost, at, bounds, [DESCENT * (high - low) for low, high in bounds])


def descend(cost, start, bounds, steps):
    """The best point near `start`, by Nelder and Mead's simplex, which begins with these steps."""
    at = tuple(start)
    corners = [at] + [replaced(at, axis, inner(at[axis], max(1, step), bounds[axis]))
                      for axis, step in enumerate(steps)]
    found = optimize.minimize(on_counts(cost), at, method="Nelder-Mead", bounds=bounds,
                              options={"initial_simplex": corners, "xatol": 0.5, "fatol": 0})
    return min(at, rounded(found.x), key=cost)


def on_counts(cost):
    return lambda point: cost(rounded(point))


def rounded(point):
    return tuple(round(float(value)) for value in point)


def inner(at, step, bound):
    return at + step if at + step <= bound[1] else at - step


def replaced(at, axis, value):
    return at[:axis] + (value,) + at[axis + 1:]


def flat_range(cost, at, axis, bounds, limit):
    """(low, high): how far the coordinate can go from `at` with a cost of at most `limit`. Beyond,
    the cost is assumed to stay above."""
    def is_beyond(count):
        return cost(replaced(at, axis, count)) > limit
    low, high = bounds[axis]
    down, up = range(at[axis], low - 1, -1), range(at[axis], high + 1)
    return tuple(counts[bisect.bisect_left(counts, True, lo=1, key=is_beyond) - 1]
                 for counts in (down, up))
