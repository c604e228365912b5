"""`run` and `replay`."""

from __future__ import annotations

import os
from collections.abc import Iterable

from septet import _septet
from septet._results import Claims, Run, ServingRun
from septet._scenario import name_of


def files_of(what) -> list[str]:
    one = isinstance(what, (str, os.PathLike))
    return [os.fspath(file) for file in ([what] if one else what)]


def settings_of(set: dict | None, seed: int | None) -> dict:
    return {**(set or {}), **({} if seed is None else {"run.seed": seed})}


def options_of(what_ifs: Iterable[str], threads: int, keep_what_ifs: bool, keep_going: bool,
               limits: bool):
    what_ifs = [what_ifs] if isinstance(what_ifs, str) else list(what_ifs)
    if threads < 0:
        raise ValueError(f"threads: got {threads}, wanted 0 (all cores) or more")
    return _septet.StudyOptions(what_ifs, threads or os.cpu_count() or 1, keep_what_ifs,
                                keep_going, limits)


def run(scenario, *, set: dict | None = None, what_ifs: Iterable[str] = (), threads: int = 1,
        seed: int | None = None, keep_what_ifs: bool = False, keep_going: bool = False,
        limits: bool = True) -> Run | ServingRun | Claims:
    """Simulates a scenario and its what-ifs, as `septet run`.

    scenario: a TOML file, a dict or `Scenario`; files or a folder of claims.
    set: values laid over the scenario by dotted key: {"kernel.step.block_time": "3 us"}.
    what_ifs: changes to simulate as well (scenarios/WHATIFS.md): ["cuda-graphs", "host-speed=2"].
    threads: 0 takes all cores. The result doesn't depend on it.
    seed: of random draws, instead of the scenario's.
    keep_what_ifs: keep the tables of what-ifs too, which takes memory for each.
    keep_going: a what-if that fails becomes an `Outcome` with an error instead of an exception.
    limits: refuse runs that would need more memory than the machine has.

    Returns a Run; a ServingRun for LLM serving; Claims for claims. Raises ConfigError, ModelError;
    KeyboardInterrupt after Ctrl-C.
    """
    options = options_of(what_ifs, threads, keep_what_ifs, keep_going, limits)
    settings = settings_of(set, seed)
    if isinstance(scenario, dict):
        done = _septet.run([], scenario, name_of(scenario), settings, options)
    else:
        done = _septet.run(files_of(scenario), None, "", settings, options)
    kind, report, text, runs = done
    if kind == "run":
        return Run(report, text, runs)
    return ServingRun(report, text) if kind == "serving" else Claims(report, text)


def replay(recordings, *, gpu: str = "", like: str = "", target_gpu: str = "",
           set: dict | None = None, what_ifs: Iterable[str] = (), threads: int = 1,
           seed: int = 1, keep_what_ifs: bool = False, keep_going: bool = False,
           limits: bool = True) -> Run:
    """Replays a profiler recording and its what-ifs, as `septet replay`.

    recordings: a file, or those of all ranks of one run in any order. `septet replay --help`
        lists the formats.
    gpu: profile of the GPU that was recorded; empty: by the recorded device's name.
    like: profile to take the recorded GPU for where it has none of its own.
    target_gpu: replay on this GPU as well, and each what-if there.
    set, what_ifs, threads, seed, keep_what_ifs, keep_going, limits: as of `run`.

    Returns a Run whose `report["baseline"]` compares it with the recording. Raises ConfigError,
    ModelError; KeyboardInterrupt after Ctrl-C.
    """
    options = options_of(what_ifs, threads, keep_what_ifs, keep_going, limits)
    _, report, text, runs = _septet.replay(files_of(recordings), gpu, like, target_gpu, set or {},
                                           seed, options)
    return Run(report, text, runs)
