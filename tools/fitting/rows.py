"""Measured rows (data/measurements/FORMAT.md): reading, choosing, dividing into folds."""

import csv
import dataclasses
import json
import pathlib
import zlib

PROFILED = "kernels"  # the group of an Nsight Compute report
DURATION = "gpu__time_duration"
NANOSECONDS = {"ns": 1, "nsecond": 1, "us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6}
HIDDEN = ("what", "op", "load", "trace", "trace_graph", "steps_in_trace", "timer")  # from a table


@dataclasses.dataclass(frozen=True)
class Row:
    file: str  # name of the file, without its folder
    line: int
    group: str
    case: dict
    metric: str
    value: float
    second_run: float | None
    profiled: tuple | None = None  # of an Nsight Compute report: names, units and own record

    @property
    def id(self):
        return f"{self.file}:{self.line}"

    @property
    def what(self):
        if self.profiled:
            return pathlib.Path(self.file).stem
        return next((self.case[key] for key in ("what", "model", "op", "load") if key in self.case),
                    "")

    def question(self):
        """The row without its answers, as a line of a file."""
        return json.dumps({"group": self.group, "case": self.case, "metric": self.metric})

    def case_text(self):
        return " ".join(f"{key}={str(value)[:60]}" for key, value in self.case.items()
                        if key not in HIDDEN)


def files_of(folder, group):
    """The files with the rows of a group: one of its name, and those measured later (NAME_more), or
    reports in a folder of its name."""
    own = [folder / f"{group}{suffix}.jsonl" for suffix in ("", "_more")]
    own = [path for path in own if path.exists()]
    return own or sorted((folder / group).glob("*.csv"))


def read(path):
    if path.suffix == ".csv":
        return read_report(path)
    out = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        out.append(Row(path.name, number, row["group"], row["case"], row["metric"], row["value"],
                       row.get("second_run")))
    return out


def read_report(path):
    """The kernels of an Nsight Compute report, raw page, with their durations in nanoseconds."""
    out = []
    with open(path, newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        names = next(record for record in lines if record and record[0] == "ID")
        units = next(lines)
        at = names.index(f"{DURATION}.sum")
        for record in lines:
            case = {"id": record[0], "kernel": record[names.index("Kernel Name")]}
            duration = float(record[at].replace(",", "")) * NANOSECONDS[units[at]]
            out.append(Row(path.name, lines.line_num, PROFILED, case, DURATION, duration, None,
                           (names, units, record)))
    return out


def write_questions(rows, folder):
    """Writes rows without their answers to files in `folder`: (paths, rows in the same order)."""
    plain = [row for row in rows if not row.profiled]
    paths, ordered = [], list(plain)
    if plain:
        paths.append(folder / "rows.jsonl")
        paths[0].write_text("".join(row.question() + "\n" for row in plain), encoding="utf-8")
    for name in sorted({row.file for row in rows if row.profiled}):
        own = [row for row in rows if row.file == name]
        paths.append(folder / name)
        write_report(own, paths[-1])
        ordered += own
    return paths, ordered


def write_report(rows, path):
    names, units, _ = rows[0].profiled
    kept = [column for column, name in enumerate(names) if not name.startswith(DURATION)]
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        for record in (names, units, *(row.profiled[2] for row in rows)):
            out.writerow([record[column] for column in kept])


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
    """The rows that any of `selections` matches, in their order."""
    return [row for row in rows if any(matches(row, selection) for selection in selections)]


def fold_of(row, folds):
    """Which fold a row belongs to. All rows of one case, whatever the metric, share a fold; copies
    are divided by size and profiled kernels by name, so that a fold tests sizes and kernels
    that its fit never saw."""
    case = row.case
    if row.group == "copy":
        case = {"bytes": case["bytes"]}
    elif row.group == PROFILED:
        case = case["kernel"]
    return zlib.crc32(f"{row.group} {json.dumps(case, sort_keys=True)}".encode()) % folds
