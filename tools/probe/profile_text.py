"""Profiles as text: the tree of a TOML file with a source for each number, and back to a file."""

import json
import re

MEASURED = "measured by tools/probe"


def is_number(entry):
    return isinstance(entry, dict) and "value" in entry


def resource(tree, source):
    """Gives every number of the tree this source."""
    for entry in tree.values():
        if is_number(entry):
            entry["source"] = source
        elif isinstance(entry, dict):
            resource(entry, source)


def entry_of(trees, key):
    """The entry of a dotted key that begins with the kind: gpu.front_end.stream_gap."""
    at = trees
    for part in key.split("."):
        at = at[part]
    return at


def put(trees, key, value, source):
    entry_of(trees, key).update({"value": value, "source": source})


def is_measured(trees, key):
    return entry_of(trees, key)["source"].startswith(MEASURED)


def plain(text):
    """A text without a unit as the number that it is."""
    if re.fullmatch(r"[0-9]+", text):
        return int(text)
    return float(text) if re.fullmatch(r"[0-9]*\.[0-9]+", text) else text


def toml(tree):
    return "\n".join(lines(tree, "")).strip() + "\n"


def lines(tree, path):
    """What is plain first, then numbers, then tables, as shipped profiles have them."""
    if path:
        yield f"[{path}]"
    tables = {}
    for key, entry in tree.items():
        if is_number(entry):
            yield from (f"{key}.value = {json.dumps(entry['value'])}",
                        f"{key}.source = {json.dumps(entry['source'])}", "")
        elif isinstance(entry, dict):
            tables[key] = entry
        else:
            yield f"{key} = {json.dumps(entry)}"
    yield ""
    for key, entry in tables.items():
        yield from lines(entry, f"{path}.{key}" if path else key)
