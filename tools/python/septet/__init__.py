"""Septet, a simulator of GPUs and GPU clusters, from Python.

    >>> import septet
    >>> r = septet.run(septet.shipped("scenarios/shipped/fork-join.toml"))
    >>> r.simulated_us
    >>> r.kernels.to_pandas()

Each function does what the command of the same name does and takes files or, instead of a TOML
file, a dict or a `Scenario` with the same keys. Simulations leave other Python threads running;
Ctrl-C ends them. Mistakes in the input raise `ConfigError`, questions outside of what the models
can answer `ModelError`.
"""

from septet._errors import ConfigError, ModelError
from septet._questions import capacity, explain, hardware, occupancy, validate
from septet._results import (CapacityPlan, Claims, Explanation, Occupancy, Outcome, Run,
                             ServingRun, Validation)
from septet._scenario import Scenario, shipped
from septet._septet import version as __version__
from septet._studies import replay, run
from septet._sweeps import Sweep, sweep
from septet._table import Table

__all__ = ["CapacityPlan", "Claims", "ConfigError", "Explanation", "ModelError", "Occupancy",
           "Outcome", "Run", "Scenario", "ServingRun", "Sweep", "Table", "Validation", "capacity",
           "explain", "hardware", "occupancy", "replay", "run", "shipped", "sweep", "validate"]
