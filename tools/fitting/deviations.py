"""The errors of each family of rows against their targets: the tables of data/DEVIATIONS.md."""

import dataclasses
import tomllib

import numpy

import picture
import report
import rows as measured
from residuals import error, error_text

WORST = 4  # rows shown of a family with rows beyond its target


@dataclasses.dataclass(frozen=True)
class Answer:
    row: object
    predicted: float

    @property
    def error(self):
        return error(self.row, self.predicted)


def families(data):
    with open(data / "fit" / "targets.toml", "rb") as file:
        return tomllib.load(file)["family"]


def refresh(rows, predicted, data):
    answers = [Answer(row, value) for row, value in zip(rows, predicted, strict=True)
               if error(row, value) is not None]
    report.refresh(data / "DEVIATIONS.md", {"reached": reached(families(data), answers),
                                            "worst rows": worst(families(data), answers)})
    (data / "fit" / "errors.svg").write_text(picture.draw([
        (family["name"], family.get("p90"),
         [(answer.row.id, answer.error) for answer in of_family(family, answers)])
        for family in families(data) if family.get("p90") != 0]), encoding="utf-8")


def of_family(family, answers):
    return [answer for answer in answers
            if any(measured.matches(answer.row, selection) for selection in family["rows"])]


def reached(asked, answers):
    lines = [["rows", "n", "target", "error", "met", "second run", "outside"]]
    for family in asked:
        own = of_family(family, answers)
        pair = figures([abs(answer.error) for answer in own])
        target = (family["median"], family["p90"]) if "median" in family else None
        lines.append([family["name"], str(len(own)), text(target), text(pair),
                      verdict(target, pair), text(figures(repeats(own))),
                      str(len(beyond(family, own)))])
    return report.markdown(lines)


def repeats(answers):
    return [abs(answer.row.second_run / answer.row.value - 1) * 100 for answer in answers
            if answer.row.second_run is not None]


def figures(errors):
    """(median, 90th percentile), or None."""
    return tuple(numpy.percentile(errors, (50, 90))) if errors else None


def text(pair):
    return "-" if pair is None else f"{pair[0]:.3g} / {pair[1]:.3g}"


def verdict(target, pair):
    if target is None:
        return "-"
    return "yes" if all(got <= wanted for got, wanted in zip(pair, target)) else "no"


def beyond(family, answers):
    """The rows whose error is larger than the target for nine rows of ten."""
    return [answer for answer in answers if abs(answer.error) > family.get("p90", float("inf"))]


def worst(asked, answers):
    lines = [["rows", "case", "metric", "measured", "second run", "predicted", "error, %"]]
    for family in asked:
        own = sorted(beyond(family, of_family(family, answers)), key=lambda a: -abs(a.error))
        for answer in own[:WORST]:
            row = answer.row
            second = "-" if row.second_run is None else f"{row.second_run:g}"
            lines.append([family["name"], f"{row.what} {row.case_text()}", row.metric,
                          f"{row.value:g}", second, f"{answer.predicted:.4g}",
                          error_text(row, answer.predicted)])
    return report.markdown(lines)
