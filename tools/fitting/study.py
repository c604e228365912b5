"""The whole study of a plan: fits, folds, how well each value is determined, errors by group."""

import concurrent.futures
import dataclasses
import functools
import os
import sys
import time

import estimate
import fitter
import rows as measured
import simulate


@dataclasses.dataclass
class Study:
    """What is asked, and who answers: `data` is the folder of profiles and measurements."""

    plan: object
    data: object
    program: object
    profile: dict  # the state that the profiles are in

    def __post_init__(self):
        folder = self.data / "measurements" / "h200"
        self.files = [folder / f"{group}.jsonl" for group in self.plan.groups]
        self.rows = [row for file in self.files for row in measured.read(file)]

    def fitter(self, rows=None, run="value"):
        return fitter.Fitter(self.plan, rows or self.rows, self.simulator(), run)

    def simulator(self):
        return simulate.Septet(self.program, self.data)

    def predictions(self, state):
        """For every row, with the numbers of `state` in place."""
        return self.simulator().predict_files(self.files, self.fitter().settings(state))

    def fold(self, number, folds):
        """(the state fitted without this fold's rows, {index of row: prediction} of its rows)."""
        seen = [row for row in self.rows if measured.fold_of(row, folds) != number]
        state = self.fitter(seen).fit(fitter.starts(self.plan))
        predicted = self.predictions(state)
        return state, {index: predicted[index] for index, row in enumerate(self.rows)
                       if measured.fold_of(row, folds) == number}

    def run(self, folds):
        """The result, as fit.json has it."""
        jobs = [self.describe, self.second_run,
                *(functools.partial(self.fold, number, folds) for number in range(folds))]
        (parameters, fitted), second, *results = run_all(jobs)
        for entry, parameter in zip(parameters, self.plan.parameters(), strict=True):
            entry["second_run"] = parameter.text(second[parameter.key])
            across = [state[parameter.key] for state, _ in results]
            entry["folds"] = [parameter.text(min(across)), parameter.text(max(across))]
        unseen = {index: answer for _, part in results for index, answer in part.items()}
        return {"folds": folds, "parameters": parameters, "groups": self.groups(fitted, unseen)}

    def second_run(self):
        return self.fitter(run="second_run").fit(fitter.starts(self.plan))

    def describe(self, blocks=None):
        """(an entry for each parameter, the state fitted from the start values)."""
        work = self.fitter()
        begin = self.profile if blocks else fitter.starts(self.plan)
        begin = begin | {p.key: p.start for block in blocks or () for p in block.parameters}
        fitted = work.fit(begin, blocks)
        parameters = [p for block in blocks or self.plan.blocks for p in block.parameters]
        proposed = work.improve(self.profile, parameters)
        return [self.entry(work, parameter, fitted, proposed) for parameter in parameters], fitted

    def entry(self, work, parameter, fitted, proposed):
        rows = work.rows_of(parameter)
        objective = {name: round(work.objective(rows, work.settings(state)), 5)
                     for name, state in (("profile", self.profile), ("fitted", fitted))}
        return {"key": parameter.key, "rows": len(rows),
                "profile": parameter.text(self.profile[parameter.key]),
                "fitted": parameter.text(fitted[parameter.key]),
                "flat": [parameter.text(n) for n in work.flat_range(parameter, fitted)],
                "objective": objective, "noise": round(estimate.repeat_noise(rows) or 0.0, 5),
                "proposed": parameter.text(proposed[parameter.key])}

    def groups(self, fitted, unseen):
        """Errors of each group in per cent: as the profiles are, fitted, on rows that no fit saw,
        and of the second run where that is taken for a prediction."""
        answers = {"profile": self.predictions(self.profile), "fitted": self.predictions(fitted),
                   "unseen": [unseen[index] for index in range(len(self.rows))],
                   "second_run": [row.second_run for row in self.rows]}
        return [{"group": group} | {name: group_errors(self.rows, predicted, group)
                                    for name, predicted in answers.items()}
                for group in self.plan.groups]


def run_all(jobs):
    """Their results, in order. Says on standard error how far it is."""
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = [pool.submit(job) for job in jobs]
        for done, _ in enumerate(concurrent.futures.as_completed(running), 1):
            print(f"tools/fit: {done} of {len(jobs)} fits, {time.monotonic() - begin:.0f} s",
                  file=sys.stderr, flush=True)
        return [job.result() for job in running]


def group_errors(rows, predicted, group):
    errors = [abs(answer / row.value - 1) * 100 for row, answer in zip(rows, predicted, strict=True)
              if row.group == group and answer and row.value]
    return {"n": len(errors)} | {name: round(estimate.percentile(errors, percent), 3)
                                 for name, percent in (("median", 50), ("p90", 90))}
