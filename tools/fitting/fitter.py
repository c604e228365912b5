"""Fits the parameters of a plan to rows, block by block, in two sweeps.

A state is {key of a parameter: count of its steps}. Predictions come from anything that has
`predict(rows, settings)`.
"""

import dataclasses

import estimate
import quantity
import rows as measured
import search

MAX_SWEEPS = 2
NEARBY = 16  # steps that the sweeps after the first look around
FLAT = 1.05  # an objective within this factor of the best is as good
EXACT = 1e-4  # objectives below are as good as zero: 0.01 %


@dataclasses.dataclass
class Fitter:
    plan: object
    rows: list
    simulator: object
    run: str = "value"  # or "second_run": the measurement fitted to

    def settings(self, state):
        return {key: text for parameter in self.plan.parameters() if parameter.key in state
                for key, text in parameter.settings(state[parameter.key]).items()}

    def rows_of(self, parameter):
        """Rows that identify it and were measured in this run."""
        return [row for row in measured.choose(self.rows, parameter.rows) if getattr(row, self.run)]

    def cost(self, judged, state, free):
        """The mean objective of the parameters `judged`, each over the rows that identify it, as a
        function of the counts of the parameters `free`; None where there is no such row."""
        chosen = [found for found in map(self.rows_of, judged) if found]
        known = {}

        def cost(counts):
            if counts not in known:
                values = state | {p.key: n for p, n in zip(free, counts, strict=True)}
                settings = self.settings(values)
                known[counts] = sum(self.objective(rows, settings) for rows in chosen) / len(chosen)
            return known[counts]
        return cost if chosen else None

    def objective(self, rows, settings):
        return estimate.objective(rows, self.simulator.predict(rows, settings), self.run)

    def fit(self, state, blocks=None):
        """The state that matches the rows best; the search starts at `state`."""
        for sweep in range(MAX_SWEEPS):
            before = dict(state)
            for block in blocks or self.plan.blocks:
                state = state | self.fit_together(block.parameters, state, scan=sweep == 0)
            if state == before:
                break
        return state

    def fit_together(self, parameters, state, scan=True):
        """The new counts of the parameters. Unchanged where no row identifies them."""
        direct = {p.key: self.direct(p, state) for p in parameters if p.slope}
        state = state | {key: count for key, count in direct.items() if count is not None}
        free = [p for p in parameters if not p.slope]
        cost = self.cost(free, state, free)
        if cost:
            start = [state[p.key] for p in free]
            bounds = [(p.low, p.high) for p in free]
            found = (search.minimise(cost, start, bounds) if scan else
                     search.descend(cost, start, bounds, [NEARBY] * len(free)))
            state = state | {p.key: count for p, count in zip(free, found, strict=True)}
        return {p.key: state[p.key] for p in parameters}

    def direct(self, parameter, state):
        """The slope of the rows minus other numbers, within the bounds; None without a slope."""
        slope = estimate.theil_sen(self.rows_of(parameter), parameter.slope["x"], self.run)
        if slope is None:
            return None
        value = quantity.of_slope(slope, parameter.unit)
        for key in parameter.slope.get("less", []):
            other = next(p for p in self.plan.parameters() if p.key == key)
            value -= quantity.in_unit(other.text(state[key]), parameter.unit)
        return min(max(round(value / parameter.step), parameter.low), parameter.high)

    def flat_range(self, parameter, state):
        """(low, high) counts with an objective as good as that of `state`."""
        cost = self.cost([parameter], state, [parameter])
        here = (state[parameter.key],)
        return search.flat_range(cost, here, 0, [(parameter.low, parameter.high)],
                                 good_enough(cost(here)))

    def improve(self, state, parameters):
        """`state` with the parameters whose rows are clearly met better by another value, the rest
        as it is. One parameter at a time, twice, since one may make room for another; in the end
        those go back whose change the others have made needless."""
        better = state
        for _ in range(2):
            for parameter in parameters:
                found = better | self.fit_together([parameter], better)
                better = found if self.clearly_better(found, better, parameter) else better
        for parameter in parameters:
            back = better | {parameter.key: state[parameter.key]}
            better = better if self.clearly_better(better, back, parameter) else back
        for parameter in parameters:
            if better[parameter.key] != state[parameter.key]:
                better = better | self.fit_together([parameter], better, scan=False)
        return better

    def clearly_better(self, then, now, parameter):
        """By more than the rows differ from one run to the next, by more than counts as just as
        good, and in the second run as well. A value at a bound is no improvement: it makes up for
        something that the model lacks."""
        rows = self.rows_of(parameter)
        if not rows or then == now or then[parameter.key] in (parameter.low, parameter.high):
            return False
        before, after = (self.objective(rows, self.settings(state)) for state in (now, then))
        noise = estimate.repeat_noise(rows) or 0.0
        return (before > good_enough(after) and before - after > noise and
                dataclasses.replace(self, run="second_run").no_worse(then, now, parameter))

    def no_worse(self, then, now, parameter):
        """In this run; also where none of the rows has been measured in it."""
        rows = self.rows_of(parameter)
        return not rows or (self.objective(rows, self.settings(then)) <=
                            self.objective(rows, self.settings(now)))


def good_enough(best):
    return max(best * FLAT, best + EXACT)


def starts(plan):
    return {parameter.key: parameter.start for parameter in plan.parameters()}
