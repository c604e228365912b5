"""The plan of a fit: reads and checks data/fit/parameters.toml."""

import dataclasses
import tomllib
from decimal import Decimal

import quantity

BLOCK_KEYS = {"name", "parameter"}
PARAMETER_KEYS = {"key", "mechanism", "start", "bounds", "step", "rows", "slope", "ties"}
SELECTION_KEYS = {"group", "metric", "where"}
SLOPE_KEYS = {"x", "less"}


class PlanError(Exception):
    """The list of parameters is invalid; names the entry and the reason."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """Values are counted in steps: n stands for n * step, so a search is over whole numbers."""

    key: str  # gpu.front_end.stream_gap
    mechanism: str
    unit: str
    step: Decimal
    start: int
    low: int
    high: int
    rows: tuple  # selections, see rows.matches
    slope: dict | None  # estimated directly: {"x": key of the case, "less": [other keys]}
    ties: tuple  # further keys that get the same value

    def text(self, count):
        return quantity.text(self.step * count, self.unit)

    def count(self, value):
        """The nearest whole number of steps."""
        return int((quantity.in_unit(value, self.unit) / self.step).to_integral_value())

    def settings(self, count):
        return {key: self.text(count) for key in (self.key, *self.ties)}


@dataclasses.dataclass(frozen=True)
class Block:
    """Parameters that are fitted together, because rows of one depend on the other."""

    name: str
    parameters: tuple

    def selections(self):
        return [selection for parameter in self.parameters for selection in parameter.rows]


@dataclasses.dataclass(frozen=True)
class Plan:
    profiles: dict  # {"gpu": name, "host": name}: the first word of a key and its profile
    groups: tuple  # of measured rows: what errors are reported over
    blocks: tuple
    kept: dict  # key of a number or of a table -> why it isn't fitted here

    def parameters(self):
        return [parameter for block in self.blocks for parameter in block.parameters]

    def is_kept(self, key):
        """Whether it or a table that it is in is kept."""
        parts = key.split(".")
        return any(".".join(parts[:count]) in self.kept for count in range(1, len(parts) + 1))


def read(path):
    with open(path, "rb") as file:
        table = tomllib.load(file)
    plan = Plan(table["profiles"], tuple(table["groups"]),
                tuple(read_block(block) for block in table["block"]), dict(flat(table["kept"])))
    keys = [key for parameter in plan.parameters() for key in (parameter.key, *parameter.ties)]
    for key in keys:
        if keys.count(key) > 1 or plan.is_kept(key):
            raise PlanError(f"{key}: is given more than once")
    return plan


def flat(table, prefix=""):
    """("a.b", text) of nested tables of texts."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def read_block(table):
    check_keys("block", table, BLOCK_KEYS)
    return Block(table["name"], tuple(read_parameter(entry) for entry in table["parameter"]))


def read_parameter(table):
    name = table.get("key", "a parameter without key")
    check_keys(name, table, PARAMETER_KEYS)
    for selection in table["rows"]:
        check_keys(name, selection, SELECTION_KEYS)
    if "slope" in table:
        check_keys(name, table["slope"], SLOPE_KEYS)
    step, unit = quantity.parse(table["step"])
    try:
        low, high, start = (whole_steps(text, unit, step)
                            for text in (*table["bounds"], table["start"]))
    except ValueError as error:
        raise PlanError(f"{name}: {error}") from error
    if not low <= start <= high or low == high:
        raise PlanError(f"{name}: start has to lie within bounds that differ")
    return Parameter(name, table["mechanism"], unit, step, start, low, high, tuple(table["rows"]),
                     table.get("slope"), tuple(table.get("ties", ())))


def whole_steps(value, unit, step):
    count = quantity.in_unit(value, unit) / step
    if count != count.to_integral_value():
        raise ValueError(f"'{value}' is not a whole number of steps of {step} {unit}")
    return int(count)


def check_keys(name, table, known):
    unknown = set(table) - known
    if unknown:
        raise PlanError(f"{name}: unknown key {', '.join(sorted(unknown))}")
