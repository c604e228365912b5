"""Numbers with a unit, as profiles write them: "1.28 us", "54.8 GB/s", or a plain number.

Exact decimals, so that a value goes through the search and back into a profile unchanged.
"""

import decimal
import re

Decimal = decimal.Decimal
FORM = re.compile(r"([0-9.]+(?:e[-+]?[0-9]+)?)\s*(\S*)")
FACTORS = {
    "": Decimal(1),
    "ps": Decimal("1e-12"), "ns": Decimal("1e-9"), "us": Decimal("1e-6"), "ms": Decimal("1e-3"),
    "s": Decimal(1),
    "MB/s": Decimal("1e6"), "GB/s": Decimal("1e9"), "TB/s": Decimal("1e12"),
    "B": Decimal(1), "kB": Decimal("1e3"), "MB": Decimal("1e6"), "GB": Decimal("1e9"),
    "KiB": Decimal(2**10), "MiB": Decimal(2**20), "W": Decimal(1), "MHz": Decimal("1e6"),
}
DIMENSION = {"": "count", "ps": "time", "ns": "time", "us": "time", "ms": "time", "s": "time",
             "MB/s": "rate", "GB/s": "rate", "TB/s": "rate", "B": "size", "kB": "size",
             "MB": "size", "GB": "size", "KiB": "size", "MiB": "size", "W": "power",
             "MHz": "frequency"}


def parse(value):
    """(number, unit) of a text or of a plain number. ValueError for an unknown unit."""
    match = FORM.fullmatch(str(value).strip())
    if not match or match.group(2) not in FACTORS:
        raise ValueError(f"'{value}' is no number with one of the units {', '.join(FACTORS)}")
    return Decimal(match.group(1)), match.group(2)


def in_unit(value, unit):
    """The number of `value` in `unit`, which must have the same dimension."""
    number, own = parse(value)
    if DIMENSION[own] != DIMENSION[unit]:
        raise ValueError(f"'{value}' is not a {DIMENSION[unit]} such as 1 {unit}")
    return number * FACTORS[own] / FACTORS[unit]


def of_slope(microseconds, unit):
    """A slope in microseconds for one as a time, or, for one byte, as the rate that it is."""
    slope = Decimal(repr(microseconds)) * FACTORS["us"]
    return (slope if DIMENSION[unit] == "time" else 1 / slope) / FACTORS[unit]


def text(number, unit):
    """As a profile has it. Plain numbers stay plain."""
    plain = f"{number.normalize():f}"
    return f"{plain} {unit}" if unit else plain
