"""Ranks of Open MPI share the points of a sweep, and lose nothing when one of them is killed."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SEPTET = os.environ["SEPTET"]
RANKS = 2

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
steps = [{ launch = "work", stream = "main", times = 20000 }, { synchronize_stream = "main" }]
[sweep]
[[sweep.axis]]
key = "kernel.work.block_time"
from = 1
to = 50
count = 51
unit = "us"
"""

# Rank 1 is killed when it has begun to write; its points take long enough for some to be left.
KILLED = """
if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then
  "$SEPTET" sweep sweep.toml --output-dir out --threads 1 --quiet &
  until [ -s out/journal-1-of-2.jsonl ]; do sleep 0.01; done
  kill -9 $!; exit 1
fi
exec "$SEPTET" sweep sweep.toml --output-dir out --threads 1 --quiet
"""


@unittest.skipIf(shutil.which("mpirun") is None, "no mpirun: openmpi-bin is not installed")
class MpiSweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "sweep.toml").write_text(SWEEP)

    def septet(self, *words):
        return subprocess.run((SEPTET, "sweep", "sweep.toml") + words, cwd=self.root, check=False,
                              capture_output=True, text=True)

    def mpirun(self, *words):
        return subprocess.run(("mpirun", "--allow-run-as-root", "--oversubscribe", "-n",
                               str(RANKS)) + words, cwd=self.root, check=False,
                              capture_output=True, text=True)

    def test_ranks_share_the_points(self):
        self.assertEqual(self.septet("--output-dir", "whole").returncode, 0)
        killed = self.mpirun("bash", "-c", KILLED)
        self.assertNotEqual(killed.returncode, 0)
        self.assertEqual(self.septet("--output-dir", "out", "--merge").returncode, 5)
        again = self.mpirun(SEPTET, "sweep", "sweep.toml", "--output-dir", "out", "--threads", "1")
        self.assertEqual(again.returncode, 0, again.stderr)
        journals = sorted(path.name for path in (self.root / "out").glob("journal*.jsonl"))
        self.assertEqual(journals, [f"journal-{i}-of-{RANKS}.jsonl" for i in range(RANKS)])
        self.assertEqual(self.septet("--output-dir", "out", "--merge").returncode, 0)
        self.assertEqual((self.root / "out" / "sweep.csv").read_bytes(),
                         (self.root / "whole" / "sweep.csv").read_bytes())


if __name__ == "__main__":
    unittest.main()
