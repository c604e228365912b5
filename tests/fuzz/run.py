"""Runs the fuzzers of build/fuzz, several at once, and prints what each of them did.

Inputs that a fuzzer found worth keeping stay in build/fuzz/corpus and are where its next run
starts; inputs that broke it are in build/fuzz/findings. Exit status 1 where there are any.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import corpus

BUILD = corpus.ROOT / "build" / "fuzz"
LONGEST = {"units": 64, "what_if": 256, "rows": 4096, "nsight": 16384, "kineto": 32768,
           "trace_file": 400000}  # bytes of an input; 8192 where nothing is said
DEFAULT_LONGEST = 8192


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=20, help="for each fuzzer (default 20)")
    parser.add_argument("--runs", type=int, help="instead: so many inputs for each")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(),
                        help="fuzzers at once (default: the number of cores)")
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    arguments = parser.parse_args()
    print(f"{'fuzzer':<12}{'inputs':>10}{'a second':>10}{'corpus':>8}  result")
    names = arguments.names or list(corpus.MAKERS)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        sound = list(pool.map(lambda name: fuzz(name, arguments), names))
    return 0 if all(sound) else 1


def fuzz(name, arguments):
    inputs = BUILD / "corpus" / name
    findings = BUILD / "findings"
    findings.mkdir(parents=True, exist_ok=True)
    corpus.fill(name, inputs)
    length = (f"-runs={arguments.runs}" if arguments.runs else
              f"-max_total_time={arguments.seconds}")
    done = subprocess.run(
        [BUILD / "tests" / "fuzz" / f"fuzz_{name}", length, "-print_final_stats=1", "-timeout=20",
         "-rss_limit_mb=4096", f"-max_len={LONGEST.get(name, DEFAULT_LONGEST)}",
         f"-artifact_prefix={findings}/{name}-", inputs],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"})
    count = stat(done.stdout, "number_of_executed_units")
    rate = stat(done.stdout, "average_exec_per_sec")
    kept = len(list(inputs.iterdir()))
    result = "ok" if done.returncode == 0 else "BROKEN"
    print(f"{name:<12}{count:>10}{rate:>10}{kept:>8}  {result}", flush=True)
    if done.returncode != 0:
        print("\n".join(done.stdout.splitlines()[-40:]), file=sys.stderr)
    return done.returncode == 0


def stat(output, key):
    found = re.search(rf"stat::{key}:\s*(\d+)", output)
    return int(found.group(1)) if found else 0


if __name__ == "__main__":
    sys.exit(main())
