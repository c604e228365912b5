#!/usr/bin/env python3
"""How close predictions came to measurements, for `septet report`.

usage: validation_errors.py VALIDATED.json... > data/fit/validation_errors.jsonl

VALIDATED.json is what `septet validate FILE... --json` printed. Run it after a change of models.
First a line for each group of rows: its name, the number of rows, of those without a prediction,
median and 90th percentile of |error| in percent. Then a line for each predicted row of serving:
group, model, GPU, number of GPUs, engine, metric, error in percent.
"""
import json
import pathlib
import statistics
import sys

SERVING = ("serve", "serve_public")
HARDWARE = "h200-sxm"  # of rows that name none, as in septet validate


def percentile(values, percent):
    """Linear between the nearest ranks, as core/base/statistics.hpp."""
    values = sorted(values)
    rank = percent / 100 * (len(values) - 1)
    low = int(rank)
    high = min(low + 1, len(values) - 1)
    return values[low] + (rank - low) * (values[high] - values[low])


def group_line(name, rows):
    errors = [abs(row["error_pct"]) for row in rows if row["error_pct"] is not None]
    if not errors:
        return None
    return {"group": name, "rows": len(rows), "unanswered": len(rows) - len(errors),
            "median_abs_pct": round(statistics.median(errors), 3),
            "p90_abs_pct": round(percentile(errors, 90), 3)}


def serving_line(row):
    case = row["case"]
    return {"group": row["group"], "model": case["model"].rpartition("/")[2],
            "gpu": case.get("gpu", HARDWARE), "gpus": case.get("gpus", 1),
            "engine": case.get("engine", "own loop"), "metric": row["metric"],
            "error_pct": round(row["error_pct"], 1)}


def main():
    rows = []
    for name in sys.argv[1:]:
        rows += json.loads(pathlib.Path(name).read_text(encoding="utf-8"))["rows"]
    groups = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row)
    for name in sorted(groups):
        line = group_line(name, groups[name])
        if line is not None:
            print(json.dumps(line))
    for row in rows:
        if row["group"] in SERVING and row["error_pct"] is not None:
            print(json.dumps(serving_line(row)))


if __name__ == "__main__":
    main()
