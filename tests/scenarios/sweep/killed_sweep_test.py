"""A sweep that is killed at random moments and started again gives the same table, to the byte."""

import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time
import unittest

SEPTET = os.environ["SEPTET"]
KILLS = 100
EXIT_OK = 0
EXIT_INTERRUPTED = 75

SWEEP = """
[hardware]
gpu = "h200-sxm"
[[stream]]
name = "main"
[[kernel]]
name = "work"
grid = 16
block = 256
block_time = "5 us"
[[thread]]
name = "cpu"
steps = [{ launch = "work", stream = "main", times = 200 }, { synchronize_stream = "main" }]
[sweep]
[[sweep.axis]]
key = "kernel.work.block_time"
from = 1
to = 50
count = 40
unit = "us"
[[sweep.axis]]
key = "kernel.work.grid"
values = [1, 16, 128, 1024, 4096]
"""


class KilledSweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.file = self.root / "sweep.toml"
        self.file.write_text(SWEEP)

    def start(self, folder):
        return subprocess.Popen([SEPTET, "sweep", self.file, "--output-dir", folder, "--quiet"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_the_table_of_a_sweep_killed_a_hundred_times_is_that_of_one_that_was_not(self):
        seed = int(os.environ.get("SEED", time.time()))
        draw = random.Random(seed)
        begin = time.monotonic()
        self.assertEqual(self.start(self.root / "whole").wait(), EXIT_OK)
        whole = time.monotonic() - begin
        expected = (self.root / "whole" / "sweep.csv").read_bytes()
        kills = 0
        rounds = 0
        while kills < KILLS:
            folder = self.root / f"killed-{rounds}"
            rounds += 1
            code = None
            while code != EXIT_OK:
                process = self.start(folder)
                try:
                    code = process.wait(timeout=draw.uniform(0, whole / 3))
                except subprocess.TimeoutExpired:
                    chosen = draw.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGUSR1])
                    process.send_signal(chosen)
                    code = process.wait()
                    kills += 1
                    allowed = (-signal.SIGKILL, EXIT_INTERRUPTED, EXIT_OK, -chosen)
                    self.assertIn(code, allowed, f"seed {seed}")
            self.assertEqual((folder / "sweep.csv").read_bytes(), expected, f"seed {seed}")


if __name__ == "__main__":
    unittest.main()
