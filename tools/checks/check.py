"""The steps of tools/check, their output and the last line.

A step that fails doesn't hide the others: only a failed build skips what needs it. The full output
of each step is in build/check/. Tests are counted from CTest's own JUnit files, every other step
counts as one check.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

import results

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOGS = ROOT / "build" / "check"
SANITIZERS = ("asan", "tsan")


def main():
    parser = argparse.ArgumentParser(prog="tools/check", description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--fast", action="store_true", help="without the slow tests")
    which.add_argument("--all", action="store_true",
                       help="also static analysis, the tests under the sanitizers, and fuzzers")
    arguments = parser.parse_args()
    LOGS.mkdir(parents=True, exist_ok=True)
    tally = results.Tally()
    if check(tally, "build release", ["tools/build", "release"]):
        check(tally, "clang-format", ["/usr/bin/python3", "tools/checks/clang_format.py"])
        if arguments.all:
            check(tally, "clang-tidy", ["/usr/bin/python3", "tools/checks/clang_tidy.py"])
        run_tests(tally, "release", skip_labels=["slow"] if arguments.fast else [])
        if arguments.all:
            run_sanitizers(tally)
            run_fuzzers(tally)
    print(tally.line())
    return 0 if tally.failed == 0 else 1


def run_sanitizers(tally):
    for preset in SANITIZERS:
        if check(tally, f"build {preset}", ["tools/build", preset]):
            run_tests(tally, preset, skip_labels=["slow", "static"])


def run_fuzzers(tally):
    if check(tally, "build fuzz", ["tools/build", "fuzz", "fuzzers"]):
        check(tally, "fuzzers", ["/usr/bin/python3", "tests/fuzz/run.py"])


def check(tally, name, command):
    """Runs a step that passes or fails."""
    passed = run_step(name, command)
    tally.add_check(passed)
    return passed


def run_tests(tally, preset, skip_labels):
    report = LOGS / f"tests-{preset}.xml"
    report.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", f"build/{preset}", "--output-on-failure", "--no-tests=error",
               "--parallel", str(os.cpu_count()), "--output-junit", str(report)]
    if skip_labels:
        command += ["--label-exclude", f"^({'|'.join(skip_labels)})$"]
    passed = run_step(f"tests {preset}", command)
    if report.exists():
        counted = tally.add_junit(report)
    else:
        counted = results.Counts()
    if not passed and counted.failed == 0:
        tally.add_check(False)  # CTest itself failed, for example it found no tests


def run_step(name, command):
    print(f"{name} ...", flush=True)
    begin = time.monotonic()
    log = LOGS / f"{name.replace(' ', '-')}.log"
    with open(log, "wb") as out:
        code = subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT,
                              env=environment(), check=False).returncode
    seconds = time.monotonic() - begin
    if code != 0:
        sys.stdout.write(results.last_lines(log.read_text(errors="replace"), 200))
    print(f"{name}: {'ok' if code == 0 else 'FAILED'} ({seconds:.0f} s)", flush=True)
    return code == 0


def environment():
    out = dict(os.environ)
    for sanitizer in ("TSAN", "LSAN"):
        suppressions = ROOT / "tests" / f"{sanitizer.lower()}.supp"
        key = f"{sanitizer}_OPTIONS"
        out[key] = f"suppressions={suppressions}:print_suppressions=0:{out.get(key, '')}"
    return out


if __name__ == "__main__":
    sys.exit(main())
