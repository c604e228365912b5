"""Every row with its prediction: data/fit/residuals.csv."""

import csv

FIELDS = ("group", "line", "what", "case", "metric", "measured", "second_run", "predicted",
          "error_pct")


def write(rows, predicted, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(FIELDS)
        for row, answer in zip(rows, predicted, strict=True):
            out.writerow((row.group, row.line, row.what, row.case_text(), row.metric, row.value,
                          "" if row.second_run is None else row.second_run,
                          "" if answer is None else f"{answer:.6g}", error_text(row, answer)))


def error(row, answer):
    """In percent, as `septet validate` has it; None without a prediction or a measurement."""
    return 100 * (answer / row.value - 1) if answer is not None and row.value else None


def error_text(row, answer):
    value = error(row, answer)
    return "" if value is None else f"{value:+.2f}"
