"""Makes a hardware profile of what tools/probe measured.

Reads PREFIX.json and PREFIX.jsonl and writes PREFIX.toml, the GPU, and PREFIX-host.toml, its host.
Attributes are taken as they are; what the rows identify is fitted to them through `septet validate`
(data/fit/parameters.toml); the rest is taken from the nearest shipped profile. Every number says
which of the three it is. Prints the errors of both profiles on the rows. Takes some minutes.
"""

import argparse
import dataclasses
import json
import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "fitting"))

import direct  # noqa: E402
import fitter as fitting  # noqa: E402  (of tools/fitting, found through the lines above)
import plan as plans  # noqa: E402
import profile_text  # noqa: E402
import profiles  # noqa: E402
import report  # noqa: E402
import rows as measured  # noqa: E402
import simulate  # noqa: E402
import study  # noqa: E402

SEPTET = ROOT / "build" / "release" / "tools" / "septet" / "septet"


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
    out.add_argument("prefix", type=pathlib.Path, metavar="PREFIX", help="as given to probe")
    out.add_argument("--nearest", metavar="NAME",
                     help="the shipped GPU that the rest is taken from; default: by its attributes")
    out.add_argument("--septet", type=pathlib.Path, default=SEPTET, metavar="PROGRAM",
                     help="default build/release/tools/septet/septet")
    out.add_argument("--data", type=pathlib.Path, default=ROOT / "data", metavar="FOLDER",
                     help="shipped profiles and parameters; default: the repository's")
    return out


def make(options):
    about = json.loads(options.prefix.with_suffix(".json").read_text(encoding="utf-8"))
    rows = measured.read(options.prefix.with_suffix(".jsonl"))
    shipped = read_gpus(options.data)
    nearest = options.nearest or direct.nearest(about, shipped)
    if nearest not in shipped:
        raise direct.ProbeError(f"--nearest: {nearest} is none of {', '.join(sorted(shipped))}")
    trees = taken_over(options, about, shipped[nearest], nearest)
    for key, value, how in direct.values(about, rows, trees):
        profile_text.put(trees, key, value, f"measured by tools/probe on {where(about)}: {how}")
    write(options, trees)
    plan = plan_for(options, rows, trees)
    simulator = simulate.Septet(options.septet, options.data, path_of(options, "gpu"))
    fitted(plan, rows, simulator, trees, about)
    write(options, trees)
    print(errors(options, plan, rows, nearest))


def read_gpus(data):
    out = {}
    for path in (data / "hardware").glob("*.toml"):
        with open(path, "rb") as file:
            tree = tomllib.load(file)
        if tree["kind"] == "gpu":
            out[path.stem] = tree
    return out


def where(about):
    return f"{about['name']}, {about['date']}"


def path_of(options, kind):
    """An absolute path, since the profile of the GPU names that of its host."""
    suffix = ".toml" if kind == "gpu" else "-host.toml"
    return (options.prefix.parent / (options.prefix.name + suffix)).resolve()


def taken_over(options, about, gpu, nearest):
    """{"gpu": tree, "host": tree} of the nearest profile, every number saying so."""
    with open(options.data / "hardware" / f"{gpu['host']}.toml", "rb") as file:
        host = tomllib.load(file)
    for tree, name in ((gpu, nearest), (host, gpu["host"])):
        profile_text.resource(tree, f"not measured: taken from {name}, the nearest shipped profile")
    gpu |= {"description": f"{about['name']} as measured by tools/probe, {about['date']}",
            "aliases": [about["name"]], "host": path_of(options, "host").name}
    host |= {"description": f"the host of {about['name']}, {about['date']}", "aliases": []}
    return {"gpu": gpu, "host": host}


def write(options, trees):
    for kind, tree in trees.items():
        path_of(options, kind).write_text(profile_text.toml(tree), encoding="utf-8")


def plan_for(options, rows, trees):
    """What the rows identify; numbers that were measured directly are not fitted."""
    plan = plans.read(options.data / "fit" / "parameters.toml")
    blocks = []
    for block in plan.blocks:
        own = tuple(p for p in block.parameters if measured.choose(rows, p.rows)
                    and not profile_text.is_measured(trees, p.key))
        blocks += [dataclasses.replace(block, parameters=own)] if own else []
    return dataclasses.replace(plan, blocks=tuple(blocks))


def fitted(plan, rows, simulator, trees, about):
    """Puts what meets the rows best into the trees. The source of a value at a bound says so: it
    may make up for something that the model lacks."""
    numbers = {key: value for kind, tree in trees.items()
               for key, value in profiles.numbers(tree, kind)}
    begin = {p.key: p.count(numbers[p.key]) for p in plan.parameters()}
    state = begin
    for done, block in enumerate(plan.blocks, 1):
        print(f"make_profile.py: {done} of {len(plan.blocks)}: {block.name}", file=sys.stderr,
              flush=True)
        state = fitting.Fitter(plan, rows, simulator).fit(state, [block])
    for parameter in plan.parameters():
        count = state[parameter.key]
        bound = ", at a bound" if count in (parameter.low, parameter.high) else ""
        groups = ", ".join(sorted({selection["group"] for selection in parameter.rows}))
        for key in (parameter.key, *parameter.ties):
            profile_text.put(trees, key, profile_text.plain(parameter.text(count)),
                             f"measured by tools/probe on {where(about)}: fitted to its rows"
                             f"{bound}, group {groups}: {parameter.mechanism}")


def errors(options, plan, rows, nearest):
    """Errors by group of the nearest profile and of the new one."""
    predicted = [simulate.Septet(options.septet, options.data, hardware).predict(rows, {})
                 for hardware in (nearest, path_of(options, "gpu"))]
    lines = [["group", "rows", nearest, options.prefix.name]]
    for group in dict.fromkeys(row.group for row in rows):
        figures = [study.group_errors(rows, answers, group) for answers in predicted]
        lines.append([group, str(figures[0]["n"]), *map(report.pair, figures)])
    return ("median / 90th percentile of |error| in per cent on the rows of the probe\n" +
            report.aligned(lines))


if __name__ == "__main__":
    sys.exit(main())
