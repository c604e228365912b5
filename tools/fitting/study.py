"""The whole study of a plan: fits, folds, how well each value is determined, errors by group."""

import concurrent.futures
import dataclasses
import functools
import os
import sys
import time

import numpy

import estimate
import fitter
import rows as measured
import simulate


@dataclasses.dataclass
class Study:
    """The plan and the predictor; `data` is the folder of profiles and measurements."""

    plan: object
    data: object
    program: object
    profile: dict  # the state that the profiles are in

    def __post_init__(self):
        folder = self.data / "measurements" / "h200"
        self.files = {group: measured.files_of(folder, group) for group in self.plan.groups}
        self.rows = [row for files in self.files.values() for file in files
                     for row in measured.read(file)]

    def fitter(self, rows=None, run="value"):
        return fitter.Fitter(self.plan, rows or self.rows, self.simulator(), run)

    def simulator(self):
        return simulate.Septet(self.program, self.data, self.plan.profiles.get("gpu", ""))

    def rows_of(self, groups):
        return [row for row in self.rows if row.group in groups]

    def predictions(self, state, groups=None):
        """For every row of the groups, with the numbers of `state` in place."""
        files = [file for group, files in self.files.items()
                 if groups is None or group in groups for file in files]
        return self.simulator().predict_files(files, self.fitter().settings(state))

    def begin(self, blocks):
        """Start of a fit of these blocks: all others have the profile's values."""
        parameters = [p for block in blocks for p in block.parameters]
        return self.profile | {p.key: p.start for p in parameters}

    def fold(self, number, folds, blocks, groups):
        """(the state fitted without this fold's rows, {index of row: prediction} of its rows)."""
        seen = [row for row in self.rows if measured.fold_of(row, folds) != number]
        state = self.fitter(seen).fit(self.begin(blocks), blocks)
        predicted = self.predictions(state, groups)
        return state, {index: predicted[index] for index, row in enumerate(self.rows_of(groups))
                       if measured.fold_of(row, folds) == number}

    def run(self, folds, blocks=None):
        """The result, as fit.json has it: of all blocks, or of some and their rows' groups."""
        groups = groups_of(self.plan, blocks) if blocks else list(self.plan.groups)
        blocks = blocks or self.plan.blocks
        jobs = [functools.partial(self.describe, blocks),
                functools.partial(self.second_run, blocks),
                *(functools.partial(self.fold, number, folds, blocks, groups)
                  for number in range(folds))]
        (parameters, fitted), second, *results = run_all(jobs)
        for entry in parameters:
            parameter = next(p for p in self.plan.parameters() if p.key == entry["key"])
            entry["second_run"] = self.second_text(parameter, second)
            across = [state[parameter.key] for state, _ in results]
            entry["folds"] = [parameter.text(min(across)), parameter.text(max(across))]
        unseen = {index: answer for _, part in results for index, answer in part.items()}
        return {"folds": folds, "parameters": parameters,
                "groups": self.groups(fitted, unseen, groups)}

    def second_run(self, blocks):
        return self.fitter(run="second_run").fit(self.begin(blocks), blocks)

    def second_text(self, parameter, state):
        """What was fitted to the second run, where any row that identifies it was in that run."""
        measured_again = self.fitter(run="second_run").rows_of(parameter)
        return parameter.text(state[parameter.key]) if measured_again else "-"

    def describe(self, blocks):
        """(an entry for each parameter, the state fitted from the start values)."""
        work = self.fitter()
        fitted = work.fit(self.begin(blocks), blocks)
        parameters = [p for block in blocks for p in block.parameters]
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

    def groups(self, fitted, unseen, groups):
        """Errors of each group in percent: as the profiles are, fitted, on rows that no fit saw,
        and of the second run where that is taken for a prediction."""
        rows = self.rows_of(groups)
        answers = {"profile": self.predictions(self.profile, groups),
                   "fitted": self.predictions(fitted, groups),
                   "unseen": [unseen[index] for index in range(len(rows))],
                   "second_run": [row.second_run for row in rows]}
        return [{"group": group} | {name: group_errors(rows, predicted, group)
                                    for name, predicted in answers.items()}
                for group in groups]


def groups_of(plan, blocks):
    """The groups of the blocks' rows, in the plan's order."""
    own = {selection["group"] for block in blocks for selection in block.selections()}
    return [group for group in plan.groups if group in own]


def run_all(jobs):
    """Their results, in order. Reports progress on standard error."""
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
    return {"n": len(errors)} | {
        name: round(numpy.percentile(errors, percent), 3) if errors else None
        for name, percent in (("median", 50), ("p90", 90))}
