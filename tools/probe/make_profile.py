"""Makes a hardware profile from the measurements of tools/probe.

Reads PREFIX.json and PREFIX.jsonl and writes PREFIX.toml, the GPU, and PREFIX-host.toml, its host.
Attributes are used as measured; parameters that the rows identify are fitted to them with `septet
validate` (data/fit/parameters.toml); all others come from the base, the most similar shipped
profile. Prints the errors of the base and of the new profile on the rows. Takes a few minutes.
"""

import argparse
import dataclasses
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "fitting"))

import direct  # noqa: E402
import fitter as fitting  # noqa: E402  (of tools/fitting, found through the lines above)
import plan as plans  # noqa: E402
import profile_text  # noqa: E402
import report  # noqa: E402
import rows as measured  # noqa: E402
import simulate  # noqa: E402
import study  # noqa: E402

SEPTET = ROOT / "build" / "release" / "tools" / "septet" / "septet"
NOTE = "the nearest shipped profile; not measured"


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        make(options)
    except (plans.PlanError, simulate.SimulationError, direct.ProbeError, OSError) as error:
        print(f"make_profile.py: {error}", file=sys.stderr)
        return 1
    return 0


def parser():
    out = argparse.ArgumentParser(
        prog="make_profile.py", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python3 tools/probe/make_profile.py my-gpu")
    out.add_argument("prefix", type=pathlib.Path, metavar="PREFIX", help="prefix given to probe")
    out.add_argument("--base", metavar="NAME",
                     help="shipped GPU for all other parameters; default: the most similar")
    out.add_argument("--septet", type=pathlib.Path, default=SEPTET, metavar="PROGRAM",
                     help="the septet binary; default build/release/tools/septet/septet")
    out.add_argument("--data", type=pathlib.Path, default=ROOT / "data", metavar="FOLDER",
                     help="shipped profiles and parameters; default: the repository's")
    return out


def make(options):
    about = json.loads(options.prefix.with_suffix(".json").read_text(encoding="utf-8"))
    rows = measured.read(options.prefix.with_suffix(".jsonl"))
    base = base_of(options, about)
    where = f"measured by tools/probe on {about['name']}, {about['date']}"
    taken = base.numbers()
    found = {key: (value, f"{where}: {how}")
             for key, value, how in direct.values(about, rows, taken)}
    plan = plan_for(options, rows, found)
    simulator = simulate.Septet(options.septet, options.data, base.gpu,
                                {key: value for key, (value, _) in found.items()})
    state = fitted(plan, rows, simulator, taken)
    for parameter in plan.parameters():
        for key in (parameter.key, *parameter.ties):
            value = profile_text.plain(parameter.text(state[parameter.key]))
            found[key] = (value, f"{where}: {how_fitted(parameter, state)}")
    write(options, about, base, found)
    print(errors(options, base, found, rows))


@dataclasses.dataclass(frozen=True)
class Base:
    """A shipped GPU and its host: their names and numbers."""

    gpu: str
    host: str
    of_gpu: dict  # {dotted key: value as the profile has it}
    of_host: dict

    def numbers(self):
        return ({f"gpu.{key}": value for key, value in self.of_gpu.items()} |
                {f"host.{key}": value for key, value in self.of_host.items()})


def base_of(options, about):
    def ask(*names):
        return simulate.Septet(options.septet, options.data, "").hardware_of(*names)

    def numbers(name):
        return {key: number["value"] for key, number in ask(name)["numbers"].items()}
    names = [profile["name"] for profile in ask() if profile["kind"] == "gpu"]
    if options.base and options.base not in names:
        raise direct.ProbeError(f"--base: {options.base} is none of {', '.join(names)}")
    name = options.base or direct.nearest(about, {name: numbers(name) for name in names})
    host = ask(name)["host"]
    return Base(name, host, numbers(name), numbers(host))


def plan_for(options, rows, found):
    """What the rows identify, without what was found directly."""
    plan = plans.read(options.data / "fit" / "parameters.toml")
    blocks = []
    for block in plan.blocks:
        own = tuple(p for p in block.parameters
                    if p.key not in found and measured.choose(rows, p.rows))
        blocks += [dataclasses.replace(block, parameters=own)] if own else []
    return dataclasses.replace(plan, blocks=tuple(blocks))


def fitted(plan, rows, simulator, taken):
    """The state (see fitter.py) that meets the rows best, block after block."""
    state = {p.key: p.count(taken[p.key]) for p in plan.parameters()}
    for done, block in enumerate(plan.blocks, 1):
        print(f"make_profile.py: {done} of {len(plan.blocks)}: {block.name}", file=sys.stderr,
              flush=True)
        state = fitting.Fitter(plan, rows, simulator).fit(state, [block])
    return state


def how_fitted(parameter, state):
    """A value at a bound says so: it may make up for something that the model lacks."""
    at_bound = state[parameter.key] in (parameter.low, parameter.high)
    groups = ", ".join(sorted({selection["group"] for selection in parameter.rows}))
    return (f"fitted to its rows{', at a bound' if at_bound else ''}, group {groups}: "
            f"{parameter.mechanism}")


def write(options, about, base, found):
    name = options.prefix.name
    heads = {
        "gpu": {"kind": "gpu", "description": f"{about['name']} as measured by tools/probe",
                "aliases": [about["name"]], "host": f"{name}-host.toml", "base": base.gpu,
                "base_note": NOTE},
        "host": {"kind": "host", "description": f"the host of {name}", "aliases": [],
                 "base": base.host, "base_note": NOTE}}
    for kind, suffix in (("gpu", ".toml"), ("host", "-host.toml")):
        own = {key.partition(".")[2]: entry for key, entry in found.items()
               if key.startswith(f"{kind}.")}
        path = options.prefix.parent / (name + suffix)
        path.write_text(profile_text.toml(heads[kind], own), encoding="utf-8")


def errors(options, base, found, rows):
    """Errors by group of the base and of the new profile."""
    own = {key: value for key, (value, _) in found.items()}
    predicted = [simulate.Septet(options.septet, options.data, base.gpu, settings).predict(rows, {})
                 for settings in ({}, own)]
    lines = [["group", "rows", base.gpu, options.prefix.name]]
    for group in dict.fromkeys(row.group for row in rows):
        figures = [study.group_errors(rows, answers, group) for answers in predicted]
        lines.append([group, str(figures[0]["n"]), *map(report.pair, figures)])
    return ("median / 90th percentile of |error| in percent on the rows of the probe\n" +
            report.aligned(lines))


if __name__ == "__main__":
    sys.exit(main())
