"""A plan, rows and a simulator small enough to know every answer.

A call costs `call`, each of n things after it `each`: wall = call + n * each, in microseconds.
"""

import dataclasses
import decimal
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools" / "fitting"))

import plan  # noqa: E402  (found through the line above)
import quantity  # noqa: E402
import rows  # noqa: E402

SIZES = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500)


def parameter(key, selection, slope=None, step="0.01 us", bounds=(0, 1000), start=100):
    number, unit = quantity.parse(step)
    return plan.Parameter(key, "", unit, decimal.Decimal(number), start, *bounds,
                          ({"group": "calls", **selection},), slope, ())


def plan_of(*blocks):
    return plan.Plan({}, ("calls",), tuple(plan.Block("", tuple(block)) for block in blocks), {})


CALL = parameter("call", {"where": {"n": {"max": 5}}})
EACH = parameter("each", {"where": {"n": {"min": 10}}})
BOTH = plan_of([CALL, EACH])


def measured(call, each, repeat=1.0, sizes=SIZES, noise=lambda n: 1.0):
    """Rows as if the truth were `call` and `each`; the second run is `repeat` times the first."""
    walls = [(n, (call + n * each) * noise(n)) for n in sizes]
    return [rows.Row("calls.jsonl", line, "calls", {"n": n}, "wall", wall, wall * repeat)
            for line, (n, wall) in enumerate(walls, 1)]


@dataclasses.dataclass
class Simulator:
    """What a parameter isn't set to is 1 us."""

    asked: int = 0

    def predict(self, wanted, settings):
        self.asked += 1
        values = {key: float(quantity.in_unit(text, "us")) for key, text in settings.items()}
        return [values.get("call", 1.0) + row.case["n"] * values.get("each", 1.0) for row in wanted]
