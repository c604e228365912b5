"""`sweep`."""

from __future__ import annotations

import collections
import os
import tempfile
from typing import TYPE_CHECKING, Any

import numpy

from septet import _septet
from septet._results import Result
from septet._scenario import name_of
from septet._studies import settings_of

if TYPE_CHECKING:
    import pandas

CHANGE = "change"  # the key of what-ifs in a sweep


class Sweep(Result):
    """The results of a sweep: a row for each point, in the order of the description.

    `report`: points, completed, failed, missing, wall_s, as the command's --json; sweep (an id of
    all that the results depend on) and command.
    """

    def __init__(self, report: dict, keys: list, names: list, statuses: list, messages: list,
                 settings: list, outputs: list):
        text = ("{points} points: {completed} done, {failed} failed, {missing} missing; "
                "{wall_s:.1f} s\n")
        super().__init__(report, text.format(**report))
        self.keys: list[str] = keys
        self.outputs: list[str] = [output["name"] for output in outputs]
        self._settings = dict(zip(names, settings))
        self._outputs = {output["name"]: output for output in outputs}
        columns = {"point": names, "status": statuses}
        columns |= {key: [one.get(key) for one in settings] for key in keys}
        columns |= {output["name"]: output["values"] for output in outputs}
        columns["message"] = messages
        self._columns = {name: column_of(values) for name, values in columns.items()}

    @property
    def columns(self) -> list[str]:
        """point, status, the keys, the outputs, message."""
        return list(self._columns)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each output: "us", "1" for plain numbers, "text"."""
        return {name: output["units"] for name, output in self._outputs.items()}

    @property
    def descriptions(self) -> dict[str, str]:
        """What each output is."""
        return {name: output["meaning"] for name, output in self._outputs.items()}

    @property
    def statuses(self) -> dict[str, int]:
        """How many points are done, infeasible, saturated, failed; of those that occur."""
        return dict(collections.Counter(self._columns["status"]))

    @property
    def failures(self) -> list[dict[str, Any]]:
        """Of each failed point: point, status, message, settings."""
        columns = (self._columns[name] for name in ("point", "status", "message"))
        return [{"point": point, "status": status, "message": message,
                 "settings": dict(self._settings[point])}
                for point, status, message in zip(*columns) if status in ("failed", "timed_out")]

    def settings(self, point: str) -> dict[str, Any]:
        """What a point lays over the scenario, by dotted key, for the argument `set` of `run`;
        without its what-if, which is the column "change"."""
        return {key: value for key, value in self._settings[point].items() if key != CHANGE}

    def __len__(self) -> int:
        return len(self._columns["point"])

    def __getitem__(self, column: str) -> numpy.ndarray:
        """A column, shape (len(sweep),): float64 of an output, NaN where not known; numbers of a
        key whose values are all numbers; else objects, quantities as the scenario writes them."""
        return self._columns[column]

    def to_pandas(self) -> pandas.DataFrame:
        """A frame with a row for each point; `frame.attrs["units"]` has the units of outputs."""
        import pandas

        frame = pandas.DataFrame(self._columns)
        frame.attrs["units"] = self.units
        return frame

    def __repr__(self) -> str:
        return f"<septet.Sweep: {str(self).strip()}>"


def column_of(values) -> numpy.ndarray:
    """Numbers as such, all else as objects."""
    if isinstance(values, numpy.ndarray):
        return values
    if values and all(isinstance(one, (int, float)) and not isinstance(one, bool)
                      for one in values):
        return numpy.array(values)
    out = numpy.empty(len(values), dtype=object)
    out[:] = values
    return out


def sweep(scenario, *, set: dict | None = None, output_dir: str | os.PathLike | None = None,
          threads: int = 0, retries: int = 0, fail_fast: bool = False) -> Sweep:
    """Asks the same at each point of a scenario's table [sweep], as `septet sweep`.

    scenario: a TOML file, a dict or `Scenario` with a table [sweep] (scenarios/sweep/FORMAT.md).
    set: values laid over the scenario by dotted key.
    output_dir: where points that are done are kept: a sweep that was ended, by Ctrl-C or any other
        way, goes on there with the same call. Afterwards it holds sweep.csv, sweep.h5 and
        sweep.json; of a dict also scenario.toml. Without one nothing is kept.
    threads: points at the same time; 0 takes all cores. Results don't depend on it.
    retries: more tries of a point without a result.
    fail_fast: the first failed point is the last; by default failures are rows of the table.

    Returns a Sweep. Raises ConfigError for mistakes in the scenario or any point's values before
    the first is run, and for a folder of another sweep; OSError where that can't be written;
    KeyboardInterrupt after Ctrl-C, when the points that are under way have ended.
    """
    if threads < 0 or retries < 0:
        raise ValueError(f"threads, retries: got {threads}, {retries}, wanted 0 or more")
    with tempfile.TemporaryDirectory() as passing:
        folder = passing if output_dir is None else os.fspath(output_dir)
        options = _septet.SweepOptions(folder, output_dir is not None,
                                       threads or os.cpu_count() or 1, retries, fail_fast)
        given = settings_of(set, None)
        if isinstance(scenario, dict):
            done = _septet.sweep("", scenario, name_of(scenario), given, options)
        else:
            done = _septet.sweep(os.fspath(scenario), None, "", given, options)
    return Sweep(*done)
