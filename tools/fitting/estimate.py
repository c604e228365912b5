"""Figures over rows: the objective of a fit, slopes."""

import collections
import itertools
import json
import math
import statistics

TRIMMED = 0.1  # of the rows, those with the largest errors
NOTHING = 1e-6  # of the measured value: a prediction of 0 has an error, too


def log_errors(rows, predicted, run="value"):
    """|log(predicted / measured)| of the rows that have both."""
    return [abs(math.log(max(answer / getattr(row, run), NOTHING)))
            for row, answer in zip(rows, predicted, strict=True)
            if answer is not None and getattr(row, run)]


def trimmed_mean(errors):
    """The mean without the largest tenth, so that the few rows no value can match have no say."""
    if not errors:
        raise ValueError("no row has both a prediction and a measurement")
    kept = sorted(errors)[:math.ceil(len(errors) * (1 - TRIMMED))]
    return sum(kept) / len(kept)


def objective(rows, predicted, run="value"):
    return trimmed_mean(log_errors(rows, predicted, run))


def repeat_noise(rows):
    """The objective of the second run taken as the prediction of the first; None without one."""
    errors = log_errors(rows, [row.second_run for row in rows])
    return trimmed_mean(errors) if errors else None


def theil_sen(rows, x, run="value"):
    """Median slope of the measured value over case[x] between rows that are otherwise equal.

    None where no two rows are left to compare.
    """
    series = collections.defaultdict(list)
    for row in rows:
        others = {key: value for key, value in row.case.items() if key != x}
        if getattr(row, run) is not None:
            series[json.dumps([others, row.metric])].append((row.case[x], getattr(row, run)))
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for points in series.values()
              for a, b in itertools.combinations(points, 2) if a[0] != b[0]]
    return statistics.median(slopes) if slopes else None
