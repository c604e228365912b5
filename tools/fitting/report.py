"""The tables that are printed, and those in data/fit."""

import json

COLUMNS = ("key", "rows", "profile", "start", "fitted", "flat", "second_run", "folds", "objective",
           "noise", "proposed")
TITLES = {"flat": "as good", "second_run": "second run", "objective": "error, fitted / profile",
          "noise": "two runs"}


def text(result):
    """Columns in plain text. Entries have the results of their run, see study.py."""
    columns = [c for c in COLUMNS if any(c in entry for entry in result["parameters"])]
    lines = [[TITLES.get(c, c) for c in columns]]
    lines += [[cell(entry, c) for c in columns] for entry in result["parameters"]]
    out = aligned(lines)
    if "groups" in result:
        out += "\n\n" + aligned(group_lines(result))
    return out


def aligned(lines):
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
                     .rstrip() for line in lines)


def cell(entry, column):
    value = entry.get(column, "")
    if column == "objective" and value:
        return f"{percent(value['fitted'])} / {percent(value['profile'])}"
    if column == "noise":
        return percent(value) if entry.get("second_run") != "-" else "-"
    if column == "proposed":
        return "keep" if value == entry["profile"] else value
    if isinstance(value, list):
        low, high = value
        return low if low == high else f"{low} .. {high}"
    return str(value)


def percent(value):
    return f"{100 * value:.2f} %"


def group_lines(result):
    lines = [["group", "rows", "profile", "fitted", "unseen rows", "second run"]]
    for entry in result["groups"]:
        lines.append([entry["group"], str(entry["profile"]["n"])] +
                     [pair(entry[name]) for name in ("profile", "fitted", "unseen", "second_run")])
    return lines


def pair(figures):
    if figures["median"] is None:
        return "-"
    return f"{figures['median']:.2f} / {figures['p90']:.2f}"


def markdown(lines):
    head, *body = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([head, "|" + "---|" * len(lines[0]), *body])


def parameters_table(result, plan):
    """A row for each parameter that a run has had, and the names of the others."""
    columns = [c for c in COLUMNS if c != "start"]
    table = markdown([[TITLES.get(c, c) for c in columns]] +
                     [[cell(entry, c) for c in columns] for entry in result["parameters"]])
    done = {entry["key"] for entry in result["parameters"]}
    missing = [p.key for p in plan.parameters() if p.key not in done]
    return table + (f"\n\nNot run so far: {', '.join(missing)}." if missing else "")


def with_part(document, name, part):
    """The document with the text between the marks of `name` replaced."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, found, rest = document.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"no place for {name}: the marks are missing")
    return f"{before}{begin}{part}\n{end}{after}"


def refresh(path, parts):
    document = path.read_text(encoding="utf-8")
    for name, part in parts.items():
        document = with_part(document, name, part)
    path.write_text(document, encoding="utf-8")


def merged(before, result, plan):
    """`before` with what `result` has in its place, in the order of the plan."""
    parameters = {entry["key"]: entry for entry in (*before["parameters"], *result["parameters"])}
    groups = {entry["group"]: entry for entry in (*before["groups"], *result["groups"])}
    return {"folds": result["folds"],
            "parameters": [parameters[p.key] for p in plan.parameters() if p.key in parameters],
            "groups": [groups[group] for group in plan.groups if group in groups]}


def record(result, plan, folder):
    """Writes fit.json and the tables; earlier entries that the result lacks are kept."""
    path = folder / "fit.json"
    if path.exists():
        result = merged(json.loads(path.read_text(encoding="utf-8")), result, plan)
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    write_tables(plan, folder)


def write_tables(plan, folder):
    """Those of the results in fit.json."""
    result = json.loads((folder / "fit.json").read_text(encoding="utf-8"))
    refresh(folder / "PARAMETERS.md", {"parameters": parameters_table(result, plan),
                                       "errors": markdown(group_lines(result))})
