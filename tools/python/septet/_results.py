"""What the functions return. Each result has `report`, a dict with what `--json` of the command
prints, and prints as the command's text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from septet._table import Table

if TYPE_CHECKING:
    import pandas


class Result:
    """`report`: a dict with the keys of the command's --json. str(result): the command's text."""

    def __init__(self, report: dict, text: str):
        self.report = report
        self._text = text

    @property
    def warnings(self) -> list[str]:
        """About the input and the validity of the models."""
        return self.report.get("warnings", [])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<septet.{type(self).__name__}>"


class Simulated(Result):
    """A result with the figures of one simulation."""

    @property
    def simulated_us(self) -> float:
        """From the first call or GPU activity to the end of the last, in microseconds."""
        return self.report["simulated_us"]

    @property
    def events(self) -> int:
        """Committed events of the simulation."""
        return self.report["events"]

    @property
    def digest(self) -> str:
        """Of all events; the same for any number of threads."""
        return self.report["digest"]

    @property
    def wall_s(self) -> float:
        """Seconds that the simulation took."""
        return self.report["wall_s"]

    @property
    def summary(self) -> dict:
        """Where the time goes."""
        return self.report["summary"]


class Outcome(dict):
    """A what-if: its entry of the report, and its tables if they were kept."""

    def __init__(self, entry: dict, tables: list[Table]):
        super().__init__(entry)
        self.tables = {table.name: table for table in tables}

    @property
    def name(self) -> str:
        """As it was asked for."""
        return self["name"]

    @property
    def simulated_us(self) -> float | None:
        """In microseconds; None of one that failed."""
        return self["simulated_us"]

    @property
    def speedup(self) -> float | None:
        """The baseline's time divided by this one; None of one that failed."""
        return self["speedup"]


class Run(Simulated):
    """A run of a scenario or recording with its what-ifs."""

    def __init__(self, report: dict, text: str, runs: list):
        super().__init__(report, text)
        kept = [[Table(table) for table in tables or []] for tables in runs]
        self.tables: dict[str, Table] = {table.name: table for table in kept[0]}
        self.what_ifs: list[Outcome] = [
            Outcome(entry, tables) for entry, tables in zip(report["what_ifs"], kept[1:])]

    def _table(self, name: str) -> Table:
        if name not in self.tables:
            raise KeyError(f"this run has no table {name}; it has {', '.join(self.tables)}")
        return self.tables[name]

    @property
    def kernels(self) -> Table:
        """A row for each kernel."""
        return self._table("kernels")

    @property
    def copies(self) -> Table:
        """A row for each copy and memset."""
        return self._table("copies")

    @property
    def api_calls(self) -> Table:
        """A row for each CUDA call and piece of CPU work."""
        return self._table("api_calls")

    @property
    def event_records(self) -> Table:
        """A row for each record of a CUDA event."""
        return self._table("event_records")

    @property
    def collectives(self) -> Table:
        """A row for each rank of a collective. KeyError where the program has none."""
        return self._table("collectives")

    @property
    def links(self) -> Table:
        """A row for each interval of constant rate of a link. KeyError without a network."""
        return self._table("links")

    @cached_property
    def plot(self):
        """`r.plot.timeline()`, `r.plot.what_ifs()`, `r.plot.attribution()`: matplotlib axes."""
        from septet._plots import RunPlots
        return RunPlots(self)

    def what_ifs_to_pandas(self) -> pandas.DataFrame:
        """The run (name "baseline") and its what-ifs, a row each: simulated_us, speedup, and the
        microseconds of each category of time."""
        import pandas

        rows = [row_of("baseline", self.report | self.report["summary"] | {"speedup": 1.0})]
        rows += [row_of(one["name"], one) for one in self.what_ifs]
        return pandas.DataFrame(rows).set_index("name")

    def __repr__(self) -> str:
        return (f"<septet.Run: {self.simulated_us:.1f} us simulated, {self.events} events, "
                f"{len(self.what_ifs)} what-ifs>")


def row_of(name: str, entry: dict) -> dict:
    times = {kind: value["time_us"] for kind, value in entry.get("attribution", {}).items()}
    return {"name": name, "simulated_us": entry["simulated_us"], "speedup": entry["speedup"],
            **times}


class ServingRun(Simulated):
    """LLM serving: `summary` has latencies, throughput, memory and cost."""

    @property
    def what_ifs(self) -> list[dict]:
        """Each with its name and summary."""
        return self.report["what_ifs"]


class Claims(Result):
    """Claims about GPUs with their verdicts."""


class Explanation(Result):
    """Where the time of a kernel or operator goes."""

    def __init__(self, report: dict, text: str, svg: dict[str, str], kernels: list[dict]):
        super().__init__(report, text)
        self._svg = svg
        self.kernels: list[dict] = kernels

    @property
    def time_us(self) -> float:
        """Of one launch, all seven stages, in microseconds."""
        return self.report["time_us"]

    @property
    def limiter(self) -> str:
        """What limits the kernel."""
        return self.report["limiter"]

    @property
    def metrics(self) -> dict:
        """As a profiler would show them; units at the end of the names."""
        return self.report["metrics"]

    @property
    def advice(self) -> list[dict]:
        """Changes with "change", "time_us" and "speedup", the largest gain first."""
        return self.report["advice"]

    def stages_to_pandas(self) -> pandas.DataFrame:
        """A row for each of the seven stages: time_us, share."""
        import pandas
        return pandas.DataFrame(self.report["stages"]).set_index("name")

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each kernel, a column for each metric."""
        import pandas
        return pandas.DataFrame([{"name": one["name"], "time_us": one["time_us"],
                                  "limiter": one["limiter"], **one["metrics"]}
                                 for one in self.kernels])

    def svg(self, plot: str) -> str:
        """The command's own drawing: "roofline" or "stages"."""
        return self._svg[plot]

    @cached_property
    def plot(self):
        """`e.plot.stages()`, `e.plot.roofline()`: matplotlib axes."""
        from septet._plots import KernelPlots
        return KernelPlots(self)

    def __repr__(self) -> str:
        return f"<septet.Explanation: {len(self.kernels)} kernels>"


class Occupancy(Result):
    """How many blocks of a kernel an SM holds."""

    @property
    def blocks_per_sm(self) -> int:
        """Resident blocks of an SM."""
        return self.report["blocks_per_sm"]

    @property
    def occupancy(self) -> float:
        """Resident warps of those that an SM could hold, from 0 to 1."""
        return self.report["occupancy"]

    @property
    def limiter(self) -> str:
        """The resource that is used up first."""
        return self.report["limiter"]

    def curve_to_pandas(self) -> pandas.DataFrame:
        """Occupancy by threads of a block: block, blocks_per_sm, occupancy, limiter."""
        import pandas
        return pandas.DataFrame(self.report["curve"])

    @cached_property
    def plot(self):
        """`o.plot.curve()`: matplotlib axes."""
        from septet._plots import OccupancyPlots
        return OccupancyPlots(self)


class Validation(Result):
    """Predictions beside measurements."""

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each measured row, in the order of the files; NaN where there is no answer."""
        import pandas
        frame = pandas.DataFrame(self.report["rows"])
        figures = ["measured", "predicted", "error_pct"]
        return frame.astype({name: "float64" for name in figures if name in frame})

    def groups_to_pandas(self) -> pandas.DataFrame:
        """A row for each group: n, unsupported, and errors in per cent."""
        import pandas
        return pandas.DataFrame.from_dict(self.report["groups"], orient="index")

    @cached_property
    def plot(self):
        """`v.plot.errors()`: matplotlib axes."""
        from septet._plots import ValidationPlots
        return ValidationPlots(self)


class CapacityPlan(Result):
    """The smallest fleet that meets a scenario's objectives."""

    @property
    def feasible(self) -> bool:
        """Whether any fleet within the limits meets them."""
        return self.report["feasible"]

    @property
    def best(self) -> dict | None:
        """The fleet with the fewest GPUs; None where none holds."""
        return self.report["best"]

    def candidates_to_pandas(self) -> pandas.DataFrame:
        """A row for each fleet that was tried."""
        import pandas
        return pandas.json_normalize(self.report["candidates"])

    @cached_property
    def plot(self):
        """`c.plot.candidates()`: matplotlib axes."""
        from septet._plots import CapacityPlots
        return CapacityPlots(self)
