"""Profiles as text, in the form of the shipped ones."""

import json
import re


def plain(text):
    """A text without a unit as the number that it is."""
    if re.fullmatch(r"[0-9]+", text):
        return int(text)
    return float(text) if re.fullmatch(r"[0-9]*\.[0-9]+", text) else text


def toml(head, numbers):
    """`head`: what is no number. `numbers`: {dotted key: (value, source)}."""
    out = [f"{key} = {json.dumps(value)}" for key, value in head.items()]
    tables = {}
    for key, entry in numbers.items():
        table, _, name = key.rpartition(".")
        tables.setdefault(table, []).append((name, *entry))
    for table in sorted(tables):  # the top level, which has no name, is first
        out += ["", f"[{table}]"] if table else []
        for name, value, source in tables[table]:
            out += ["", f"{name}.value = {json.dumps(value)}",
                    f"{name}.source = {json.dumps(source)}"]
    return "\n".join(out) + "\n"
