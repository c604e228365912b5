"""Plots by matplotlib. Each method draws into `ax`, or into new axes, and returns the axes."""

from __future__ import annotations

import numpy

from septet._septet import time_categories

PALETTE = ("#2878b5", "#c85a1e", "#2c8c5f", "#7a4fa3", "#e0a458", "#4aa3a2", "#b04f6f", "#9aa3ad")
US = 1e6  # picoseconds


def new_axes(ax, width=9.0, height=4.5):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def spans(ax, lane: float, starts, ends, colour) -> None:
    """Bars of one lane, in microseconds."""
    ax.broken_barh(list(zip(starts / US, (ends - starts) / US)), (lane - 0.4, 0.8),
                   facecolors=colour, edgecolor="white", linewidth=0.2)


class Plots:
    """Of one result."""

    def __init__(self, result):
        self._result = result


class RunPlots(Plots):
    """Plots of a run."""

    def timeline(self, ax=None, begin_us: float = 0, end_us: float | None = None, most: int = 8):
        """API calls of each CPU thread and kernels and copies of each stream over time, from
        `begin_us` to `end_us`; the `most` kernels with the longest total time have colours."""
        run = self._result
        end_us = run.simulated_us if end_us is None else end_us
        first = min(int(table["start"].min()) for table in run.tables.values()
                    if "start" in table.columns and len(table) > 0)
        lanes = list(self._lanes(first, most))
        ax = new_axes(ax, 11, 1.4 + 0.5 * len({name for name, *_ in lanes}))
        names = list(dict.fromkeys(name for name, *_ in lanes))
        labels: dict[str, str] = {}
        for name, label, colour, starts, ends in lanes:
            shown = (ends > begin_us * US) & (starts < end_us * US)
            spans(ax, names.index(name), starts[shown], ends[shown], colour)
            if shown.any() and label:
                labels.setdefault(label, colour)
        ax.set(xlim=(begin_us, end_us), xlabel="time / µs", yticks=range(len(names)),
               yticklabels=names, ylim=(len(names) - 0.5, -0.5))
        self._legend(ax, labels)
        return ax

    @staticmethod
    def _legend(ax, labels: dict) -> None:
        import matplotlib.patches
        if labels:
            patches = [matplotlib.patches.Patch(color=colour, label=shortened(label))
                       for label, colour in labels.items()]
            ax.legend(handles=patches, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8,
                      frameon=False)

    def _lanes(self, first: int, most: int):
        """(lane, label, colour, starts, ends) in picoseconds from the first activity."""
        calls = self._result.api_calls
        threads = calls.texts("thread")
        for code in numpy.unique(calls["thread"]):
            of = calls["thread"] == code
            yield threads[code], "", "#b8c0c8", calls["start"][of] - first, calls["end"][of] - first
        kernels = self._result.kernels
        colours = self._kernel_colours(kernels, most)
        for name, where in self._streams(kernels):
            for code in numpy.unique(kernels["name"][where]):
                of = where & (kernels["name"] == code)
                label, colour = colours[int(code)]
                yield name, label, colour, kernels["start"][of] - first, kernels["end"][of] - first
        copies = self._result.copies
        for name, where in self._streams(copies):
            yield (name, "copies", "#c9d79b", copies["start"][where] - first,
                   copies["end"][where] - first)

    @staticmethod
    def _streams(table):
        several = len(numpy.unique(table["device"])) > 1
        for device in numpy.unique(table["device"]):
            for stream in numpy.unique(table["stream"][table["device"] == device]):
                gpu = f"GPU {device} " if several else ""
                where = (table["device"] == device) & (table["stream"] == stream)
                yield f"{gpu}stream {stream}", where

    @staticmethod
    def _kernel_colours(kernels, most: int) -> dict:
        texts = kernels.texts("name")
        times = numpy.bincount(kernels["name"], kernels["end"] - kernels["start"], len(texts))
        longest = numpy.argsort(-times, kind="stable")[:min(most, len(PALETTE) - 1)]
        out = {code: ("other kernels", PALETTE[-1]) for code in range(len(texts))}
        out.update({int(code): (texts[code], PALETTE[place])
                    for place, code in enumerate(longest)})
        return out

    def what_ifs(self, ax=None):
        """The run and its what-ifs as bars, divided by where the time goes."""
        run = self._result
        bars = [("baseline", run.simulated_us, run.summary["attribution"])]
        bars += [(one.name, one.simulated_us, one["attribution"]) for one in run.what_ifs
                 if one.simulated_us is not None]
        ax = new_axes(ax, 10, 1.5 + 0.45 * len(bars))
        stacked(ax, bars)
        for place, (_, total, _) in enumerate(bars):
            text = f" {total:.1f} µs" + (f", {bars[0][1] / total:.2f}×" if place else "")
            ax.text(total, place, text, va="center", fontsize=8)
        ax.set_xlim(0, 1.22 * max(total for _, total, _ in bars))
        return ax

    def attribution(self, ax=None):
        """Where the time of the run goes: a bar for each category."""
        ax = new_axes(ax, 8, 3.5)
        parts = self._result.summary["attribution"]
        for place, (name, part) in enumerate(parts.items()):
            ax.barh(place, part["time_us"], color=time_categories[name][0])
            ax.text(part["time_us"], place, f" {100 * part['share']:.1f} %", va="center",
                    fontsize=8)
        ax.set(yticks=range(len(parts)),
               yticklabels=[time_categories[name][1] for name in parts], xlabel="time / µs")
        ax.set_xlim(0, 1.15 * max(part["time_us"] for part in parts.values()))
        ax.invert_yaxis()
        return ax


def stacked(ax, bars) -> None:
    labelled = set()
    for place, (_, _, parts) in enumerate(bars):
        left = 0.0
        for name, part in parts.items():
            colour, label = time_categories[name]
            shown = None if name in labelled or part["time_us"] == 0 else label
            labelled |= {name} if shown else set()
            ax.barh(place, part["time_us"], left=left, color=colour, label=shown)
            left += part["time_us"]
    ax.set(yticks=range(len(bars)), yticklabels=[shortened(name, 40) for name, *_ in bars],
           xlabel="time / µs")
    ax.invert_yaxis()
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)


def shortened(text: str, most: int = 45) -> str:
    return text if len(text) <= most else text[:most - 1] + "…"


class KernelPlots(Plots):
    """Plots of an explanation."""

    def stages(self, ax=None):
        """The time in each of the seven stages, a bar for each kernel."""
        kernels = self._result.kernels
        ax = new_axes(ax, 10, 1.6 + 0.35 * len(kernels))
        for place, kernel in enumerate(kernels):
            left = 0.0
            for number, stage in enumerate(kernel["stages"]):
                ax.barh(place, stage["time_us"], left=left, color=PALETTE[number],
                        label=stage["name"] if place == 0 else None)
                left += stage["time_us"]
        ax.set(yticks=range(len(kernels)), xlabel="time / µs",
               yticklabels=[shortened(kernel["name"], 40) for kernel in kernels])
        ax.invert_yaxis()
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)
        return ax

    def roofline(self, ax=None):
        """Operations a second against operations a byte of DRAM, under the GPU's peak rates."""
        ax = new_axes(ax, 9, 5.5)
        kernels = [one for one in self._result.kernels
                   if one["roofline"]["operations_per_byte"] > 0]
        roof = self._result.kernels[0]["roofline"]
        knee = roof["ceilings"][-1]["per_s"] / roof["dram_bytes_per_s"]
        points = [one["roofline"]["operations_per_byte"] for one in kernels]
        at = numpy.geomspace(min([0.1, *points]) / 2, max([10 * knee, *points]) * 2, 400)
        for place, ceiling in enumerate(roof["ceilings"]):
            ax.loglog(at, numpy.minimum(ceiling["per_s"], roof["dram_bytes_per_s"] * at),
                      color=PALETTE[-1], linewidth=1)
            ax.text(at[-1], ceiling["per_s"], f" {ceiling['name']}", va="center", fontsize=7)
        bounds = {"memory": PALETTE[0], "compute": PALETTE[1], "latency": PALETTE[2]}
        for bound, colour in bounds.items():
            of = [one["roofline"] for one in kernels if one["metrics"]["bound"] == bound]
            ax.loglog([one["operations_per_byte"] for one in of],
                      [one["operations_per_s"] for one in of], "o", color=colour,
                      label=f"{bound} bound" if of else None)
        ax.set(xlabel="operations / byte of DRAM", ylabel="operations / s",
               xlim=(at[0], at[-1]))
        if kernels:
            ax.legend(frameon=False, fontsize=8, loc="lower right")
        return ax


class OccupancyPlots(Plots):
    """Plots of an occupancy."""

    def curve(self, ax=None):
        """Occupancy by the threads of a block."""
        ax = new_axes(ax)
        points = self._result.report["curve"]
        ax.step([one["block"] for one in points], [one["occupancy"] for one in points],
                where="mid", color=PALETTE[0])
        block = numpy.prod(self._result.report["launch"]["block"])
        ax.plot([block], [self._result.occupancy], "o", color=PALETTE[1], label="this kernel")
        ax.set(xlabel="threads of a block", ylabel="occupancy", ylim=(0, 1.05))
        ax.legend(frameon=False)
        return ax


class ValidationPlots(Plots):
    """Plots of a validation."""

    def errors(self, ax=None):
        """The errors of each group: a point for each row, and the median of their sizes."""
        frame = self._result.to_pandas().dropna(subset=["error_pct"])
        groups = list(dict.fromkeys(frame["group"]))
        ax = new_axes(ax, 9, 1.5 + 0.4 * len(groups))
        for place, name in enumerate(groups):
            errors = frame.loc[frame["group"] == name, "error_pct"]
            ax.plot(errors, numpy.full(len(errors), place), "|", color=PALETTE[0], alpha=0.5,
                    markersize=12)
            for side in (-1, 1):
                ax.plot([side * errors.abs().median()], [place], "D", color=PALETTE[1],
                        markersize=4)
        ax.axvline(0, color="black", linewidth=0.8)
        ax.set(yticks=range(len(groups)), yticklabels=groups,
               xlabel="error / %  (diamonds: median of its size)")
        ax.set_xscale("symlog", linthresh=10)
        ax.set_ylim(len(groups) - 0.5, -0.5)
        return ax


class CapacityPlots(Plots):
    """Plots of a capacity search."""

    def candidates(self, ax=None):
        """The fleets that were tried: output tokens a second by GPUs."""
        ax = new_axes(ax)
        for holds, colour, label in ((True, PALETTE[2], "meets the objectives"),
                                     (False, PALETTE[1], "does not")):
            of = [one for one in self._result.report["candidates"] if one["holds"] == holds]
            rates = [one["output_tokens_per_s"] for one in of]
            ax.plot([one["gpus"] for one in of], rates, "o", color=colour,
                    label=label if of else None)
        ax.set(xlabel="GPUs", ylabel="output tokens / s", ylim=(0, None))
        ax.legend(frameon=False)
        return ax
