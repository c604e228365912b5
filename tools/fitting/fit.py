"""Fits parameters of the H200's profiles to measured rows and reports how well each is determined.

Reads data/fit/parameters.toml; data/fit/README.md describes the method. Prints, for each parameter,
the profile's value, the value fitted from a round start value, the range of equally good values,
the value fitted to the second run, the range over the folds of the cross-validation, and the
proposed value: the profile's unless another one is better by more than the difference between two
runs of the measurement. The same input gives the same result. Fitting everything takes more than
half an hour of CPU time, on up to 7 cores; a part takes minutes.
"""

import argparse
import dataclasses
import json
import pathlib
import sys

import deviations
import plan as plans
import profiles
import report
import residuals
import simulate
import study

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEPTET = ROOT / "build" / "release" / "tools" / "septet" / "septet"


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        return run(options)
    except (plans.PlanError, profiles.ProfileError, simulate.SimulationError, OSError) as error:
        print(f"tools/fit: {error}", file=sys.stderr)
        return 1


def parser():
    out = argparse.ArgumentParser(
        prog="tools/fit", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: tools/fit --only gpu.front_end.stream_gap --only gpu.kernel.cold")
    out.add_argument("--only", metavar="KEY", action="append", default=[],
                     help="fit only the blocks with this parameter, or with any of this table "
                          "(gpu.operators); all others keep their profile values")
    out.add_argument("--dry-run", action="store_true",
                     help="list parameters and the rows that identify each; simulate nothing")
    out.add_argument("--residuals", action="store_true",
                     help="do not fit: write the errors of the current profiles, and "
                          "regenerate the tables of recorded results (seconds)")
    out.add_argument("--record", action="store_true",
                     help="write the result and the errors to data/fit and data/DEVIATIONS.md; "
                          "with --only, replace the earlier result of that part")
    out.add_argument("--write", action="store_true",
                     help="write the proposed values to the profiles, then record")
    out.add_argument("--json", action="store_true", help="print the result as JSON")
    out.add_argument("--folds", type=int, default=5, metavar="N",
                     help="folds of the cross-validation; default 5; 0 (only with --only): none")
    out.add_argument("--septet", type=pathlib.Path, default=SEPTET, metavar="PROGRAM",
                     help="the septet binary; default build/release/tools/septet/septet")
    out.add_argument("--data", type=pathlib.Path, default=ROOT / "data", metavar="FOLDER",
                     help="profiles, measurements and results; default: the repository's")
    return out


def run(options):
    plan = plans.read(options.data / "fit" / "parameters.toml")
    work = study.Study(plan, options.data, options.septet, profiles.counts(options.data, plan))
    if options.dry_run:
        show(options, {"parameters": [entry(work, p) for p in plan.parameters()]})
    elif options.residuals:
        if (options.data / "fit" / "fit.json").exists():
            report.write_tables(plan, options.data / "fit")
        record_residuals(work)
    elif options.only and not options.folds:
        finish(options, work, {"parameters": work.describe(blocks_of(plan, options.only))[0]})
    else:
        blocks = blocks_of(plan, options.only) if options.only else None
        finish(options, work, work.run(options.folds, blocks))
    return 0


def entry(work, parameter):
    return {"key": parameter.key, "rows": len(work.fitter().rows_of(parameter)),
            "start": parameter.text(parameter.start),
            "profile": parameter.text(work.profile[parameter.key])}


def blocks_of(plan, wanted):
    """Blocks with a parameter named in `wanted`, or in a table named there."""
    for key in wanted:
        if not any(is_in(parameter.key, key) for parameter in plan.parameters()):
            raise plans.PlanError(f"--only: {key} is not in data/fit/parameters.toml")
    return [block for block in plan.blocks
            if any(is_in(p.key, key) for p in block.parameters for key in wanted)]


def is_in(key, table):
    return key == table or key.startswith(table + ".")


def finish(options, work, result):
    show(options, result)
    if options.write:
        write_profiles(work, result)
        state = profiles.counts(work.data, work.plan)
        work = dataclasses.replace(work, profile=state)
    if options.record or options.write:
        if "groups" in result:
            report.record(result, work.plan, options.data / "fit")
        record_residuals(work)


def show(options, result):
    print(json.dumps(result, indent=2) if options.json else report.text(result))


def write_profiles(work, result):
    """Writes only the proposed changes, with their origin as source."""
    for entry in result["parameters"]:
        if entry["proposed"] != entry["profile"]:
            parameter = next(p for p in work.plan.parameters() if p.key == entry["key"])
            for key in (parameter.key, *parameter.ties):
                path = profiles.path_of(work.data, work.plan, key)
                path.write_text(profiles.replaced(path.read_text(encoding="utf-8"), key,
                                                  entry["proposed"], source_of(parameter)),
                                encoding="utf-8")


def source_of(parameter):
    groups = sorted({selection["group"] for selection in parameter.rows})
    return (f"fitted by tools/fit, see data/fit; our measurements, group {', '.join(groups)}: "
            f"{parameter.mechanism}")


def record_residuals(work):
    predicted = work.predictions({})
    residuals.write(work.rows, predicted, work.data / "fit" / "residuals.csv")
    deviations.refresh(work.rows, predicted, work.data)


if __name__ == "__main__":
    sys.exit(main())
