"""`explain`, `occupancy`, `validate`, `capacity` and `hardware`."""

from __future__ import annotations

import os

from septet import _septet
from septet._results import CapacityPlan, Explanation, Occupancy, Validation
from septet._scenario import name_of
from septet._studies import files_of, settings_of


def explain(kernel=None, *, gpu: str = "", id: str | int | None = None, name: str | None = None,
            set: dict | None = None, **op) -> Explanation:
    """Where the time of a kernel or operator goes and what would shorten it, as `septet explain`.

    kernel: a TOML file or dict (scenarios/KERNELS.md), or an Nsight Compute report in CSV.
    gpu: profile; empty: the file's or report's, else h200-sxm.
    id, name: of a report: the row with this ID; rows whose kernel's name contains this.
    set: values laid over the kernel by dotted key.
    op: instead of `kernel` an operator and its shape:
        explain(op="gemm", m=4096, n=4096, k=4096, dtype="bf16").

    Times are in microseconds, shares from 0 to 1, percentages from 0 to 100. Raises ConfigError,
    ModelError.
    """
    if (kernel is None) == (not op):
        raise TypeError("wanted a kernel, or an operator such as op=\"gemm\" with its shape")
    file, tree = ("", kernel) if isinstance(kernel, dict) else (os.fspath(kernel or ""), None)
    words = [f"{key}={word_of(value)}" for key, value in op.items()]
    report, text, roofline, stages = _septet.explain(
        file, tree, name_of(kernel), words, gpu, None if id is None else str(id), name, set or {})
    kernels = report["kernels"]
    whole = kernels[0] if len(kernels) == 1 else report
    return Explanation(whole, text, {"roofline": roofline, "stages": stages}, kernels)


def word_of(value) -> str:
    """As on a command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return ",".join(str(one) for one in value)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def occupancy(*, block, **options) -> Occupancy:
    """How many blocks of a kernel fit on an SM, and what limits them, as `septet occupancy`.

    block, grid, cluster: threads or blocks, a number or (x, y, z).
    registers: per thread. shared, dynamic_shared: bytes per block, or text such as "48 KiB".
    gpu: profile. barriers: per block. carveout: "auto" or a size. launch_bounds: (threads, blocks).
    gpc_sms: SMs of each GPC. ptxas: a compiler's report, instead of registers and shared, with
    kernel and arch to select from it. `options` are all of these but block.

    Raises ConfigError for values that the GPU does not have.
    """
    arguments = []
    for key, value in {"block": block, **options}.items():
        size = key in ("shared", "dynamic_shared", "carveout") and not isinstance(value, str)
        arguments += ["--" + key.replace("_", "-"), f"{value} B" if size else word_of(value)]
    return Occupancy(*_septet.occupancy(arguments))


def validate(files, *, hardware: str = "h200-sxm", set: dict | None = None,
             threads: int = 0) -> Validation:
    """Predicts measured rows and compares, as `septet validate`.

    files: measured rows (data/measurements/FORMAT.md), Nsight Compute reports, or folders of them.
    hardware: profile for rows that name none.
    set: values laid over every row's hardware by dotted key.
    threads: 0 takes all cores.

    Measured values are never inputs of a prediction. A row that can't be predicted has a reason in
    `limiter`. Raises ConfigError where a file can't be read.
    """
    return Validation(*_septet.validate(files_of(files), hardware, set or {},
                                        threads or os.cpu_count() or 1))


def capacity(scenario, *, set: dict | None = None, threads: int = 1,
             seed: int | None = None) -> CapacityPlan:
    """The smallest fleet of GPUs that meets a serving scenario's objectives, as `septet capacity`.

    scenario: a TOML file, a dict or `Scenario` with [serving], [slo] and [search]
        (scenarios/serving/FORMAT.md).
    set: values laid over the scenario by dotted key.
    threads: 0 takes all cores. The result doesn't depend on it.
    seed: of random draws, instead of the scenario's.

    Times are in milliseconds, shares from 0 to 1. Raises ConfigError, ModelError;
    KeyboardInterrupt after Ctrl-C.
    """
    settings = settings_of(set, seed)
    threads = threads or os.cpu_count() or 1
    if isinstance(scenario, dict):
        return CapacityPlan(*_septet.capacity("", scenario, name_of(scenario), settings, threads))
    return CapacityPlan(*_septet.capacity(os.fspath(scenario), None, "", settings, threads))


def hardware(name: str = ""):
    """The known profiles, a list of dicts; of one GPU or host every parameter with its source."""
    return _septet.hardware(name)
