"""The profiles that parameters come from: reading and replacing their numbers.

A key is the kind of profile, then tables and name: gpu.front_end.stream_gap.
"""

import re
import tomllib


class ProfileError(Exception):
    """A key that the profile lacks, or whose form can't be replaced."""


def path_of(data, plan, key):
    return data / "hardware" / f"{plan.profiles[key.partition('.')[0]]}.toml"


def read(data, plan):
    """{key: value as written} of every number of the plan's profiles."""
    out = {}
    for kind in plan.profiles:
        with open(path_of(data, plan, kind), "rb") as file:
            out |= dict(numbers(tomllib.load(file), kind))
    return out


def numbers(table, prefix):
    for key, entry in table.items():
        if isinstance(entry, dict) and "value" in entry:
            yield f"{prefix}.{key}", entry["value"]
        elif isinstance(entry, dict):
            yield from numbers(entry, f"{prefix}.{key}")


def counts(data, plan):
    """The state (see fitter.py) that the profiles are in."""
    found = read(data, plan)
    missing = [p.key for p in plan.parameters() if p.key not in found]
    if missing:
        raise ProfileError(f"no profile has {', '.join(missing)}")
    return {p.key: p.count(found[p.key]) for p in plan.parameters()}


def replaced(text, key, value, source):
    """The text of a profile with another value and source for `key`."""
    *table, name = key.split(".")[1:]
    begin, end = table_span(text, ".".join(table))
    part = text[begin:end]
    for field, new in (("value", value), ("source", source)):
        quoted = new if re.fullmatch(r"[0-9]+(\.[0-9]+)?", new) else f'"{new}"'
        line = re.compile(rf"^{re.escape(name)}\.{field} = .*$", re.MULTILINE)
        part, found = line.subn(lambda _, line=f"{name}.{field} = {quoted}": line, part)
        if found != 1:
            raise ProfileError(f"{key}: not written as {name}.{field} = ... on a line of its own")
    return text[:begin] + part + text[end:]


def table_span(text, name):
    """Where the lines of a table begin and end; of the top level for an empty name."""
    begin = 0
    if name:
        header = re.search(rf"^\[{re.escape(name)}\]$", text, re.MULTILINE)
        if not header:
            raise ProfileError(f"there is no table [{name}]")
        begin = header.end()
    following = re.search(r"^\[", text[begin:], re.MULTILINE)
    return begin, begin + following.start() if following else len(text)
