"""Measured rows (data/measurements/FORMAT.md): reading, choosing, dividing into folds."""

import dataclasses
import json
import zlib


@dataclasses.dataclass(frozen=True)
class Row:
    file: str  # name of the file, without its folder
    line: int
    group: str
    case: dict
    metric: str
    value: float
    second_run: float | None

    @property
    def id(self):
        return f"{self.file}:{self.line}"

    @property
    def what(self):
        return self.case.get("what", self.case.get("model", ""))

    def question(self):
        """The row without its answers, as a line of a file."""
        return json.dumps({"group": self.group, "case": self.case, "metric": self.metric})

    def case_text(self):
        return " ".join(f"{key}={value}" for key, value in self.case.items()
                        if key not in ("what", "trace", "trace_graph", "steps_in_trace"))


def read(path):
    out = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        out.append(Row(path.name, number, row["group"], row["case"], row["metric"], row["value"],
                       row.get("second_run")))
    return out


def matches(row, selection):
    """`selection`: group, metric (one or a list) and where, a condition for keys of the case."""
    if row.group != selection["group"]:
        return False
    if "metric" in selection and not condition_holds(row.metric, selection["metric"]):
        return False
    return all(key in row.case and condition_holds(row.case[key], condition)
               for key, condition in selection.get("where", {}).items())


def condition_holds(value, condition):
    """A value, a list of values, or a table with min, max or both."""
    if isinstance(condition, dict):
        return condition.get("min", value) <= value <= condition.get("max", value)
    return value in condition if isinstance(condition, list) else value == condition


def choose(rows, selections):
    """The rows that any of `selections` takes, in their order."""
    return [row for row in rows if any(matches(row, selection) for selection in selections)]


def fold_of(row, folds):
    """Which fold a row belongs to. All rows of one case, whatever the metric, share a fold; copies
    are divided by size, so that a fold asks about sizes that its fit never saw."""
    case = {"bytes": row.case["bytes"]} if row.group == "copy" else row.case
    return zlib.crc32(f"{row.group} {json.dumps(case, sort_keys=True)}".encode()) % folds
