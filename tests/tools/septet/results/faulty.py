"""What the tests of results share: `septet` with spoilt operations, and whole results to compare.

Every test is called with the command and the library that spoils operations (file_faults.cpp).
"""

import os
import pathlib
import shutil
import subprocess
import sys

SEPTET = sys.argv.pop(1) if len(sys.argv) > 2 else ""
LIBRARY = sys.argv.pop(1) if len(sys.argv) > 1 else ""
ROOT = pathlib.Path(__file__).resolve().parents[4]
VARIES = "provenance.json"  # the command line and the wall time are in here

SCENARIO = """
[hardware]
gpu = "h200-sxm"
[[stream]]
name = "s"
[[kernel]]
name = "k"
grid = 1
block = 32
block_time = "10 us"
[[thread]]
name = "t"
steps = [{ launch = "k", stream = "s", times = 20 }, { synchronize_stream = "s" }]
[[what_if]]
name = "twice as long"
change = "kernel=k:scale=2"
"""


class Runs:
    """Runs of one scenario, short or `longer`, into FOLDER/out. Their results differ."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.scenario = self.folder / "scenario.toml"
        self.scenario.write_text(SCENARIO, encoding="ascii")
        self.out = self.folder / "out"
        self.whole = {longer: self.reference(longer) for longer in (False, True)}

    def command(self, longer):
        words = [SEPTET, "run", str(self.scenario), "--output-dir", str(self.out)]
        return words + ["--set", "kernel.0.block_time=20 us"] if longer else words

    def reference(self, longer):
        subprocess.run(self.command(longer), stdout=subprocess.DEVNULL, check=True, timeout=120)
        return contents(self.out)

    def put_old(self):
        """The result of the short run lies in the folder, and nothing else beside it."""
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path != self.scenario:
                path.unlink()
        self.out.mkdir()
        for name, bytes_ in self.whole[False].items():
            (self.out / name).write_bytes(bytes_)

    def found(self):
        """False: the old result, True: the new one, None: anything else."""
        now = contents(self.out)
        for longer, whole in self.whole.items():
            if without_varying(now) == without_varying(whole) and now.keys() == whole.keys():
                return longer
        return None

    def beside(self):
        """What lies beside the scenario and the result."""
        return sorted(path.name for path in self.folder.iterdir()
                      if path not in (self.scenario, self.out))


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def without_varying(whole):
    return {name: bytes_ for name, bytes_ in whole.items() if name != VARIES}


def spoilt(folder, kind, at, error, count=None):
    """The environment in which operation `at` on what `folder` begins the name of is spoilt."""
    out = {**os.environ, "LD_PRELOAD": LIBRARY, "FAULTS_FOLDER": str(folder), "FAULTS_OF": kind,
           "FAULTS_AT": str(at), "FAULTS_ERROR": str(error)}
    if count:
        out["FAULTS_COUNT"] = str(count)
    return out


def operations(command, folder, kind, count_file):
    """How many operations the command makes when none is spoilt."""
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
                   env=spoilt(folder, kind, 0, 0, count_file), timeout=120)
    return int(count_file.read_text(encoding="ascii"))
