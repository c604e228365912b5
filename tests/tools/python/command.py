"""The command beside which the package is tested."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
SEPTET = sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release/tools/septet/septet"

CHAIN = {
    "hardware": {"gpu": "h200-sxm"},
    "stream": [{"name": "main"}],
    "kernel": [{"name": "step", "grid": 132, "block": 256, "block_time": "2 us"}],
    "thread": [{"name": "cpu", "steps": [{"launch": "step", "stream": "main", "times": 100},
                                         {"synchronize_stream": "main"}]}]}


def told(*arguments):
    """What `septet ... --json` prints."""
    done = subprocess.run([SEPTET, *map(str, arguments), "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False, cwd=ROOT)
    return json.loads(done.stdout)


def same(report, of_command):
    """The two without what varies from run to run, and what only files have."""
    vary = ("wall_s", "provenance")
    return ({key: value for key, value in report.items() if key not in vary},
            {key: value for key, value in of_command.items() if key not in vary})
