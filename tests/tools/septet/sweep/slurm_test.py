"""The script of `septet sweep --slurm` on a real Slurm: tasks that are warned, requeued, killed and
submitted twice give the table of a run without Slurm, to the byte."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

import slurm_cluster

SEPTET = os.environ["SEPTET"]
TASKS = 3
PATIENCE_S = 240

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
steps = [{ launch = "work", stream = "main", times = 4000 }, { synchronize_stream = "main" }]
[sweep]
outputs = ["simulated_us", "launch_bound_us"]
[[sweep.axis]]
key = "kernel.work.block_time"
from = 1
to = 50
count = 100
unit = "us"
[[sweep.axis]]
key = "kernel.work.grid"
values = [1, 16, 128, 1024, 4096]
"""


@unittest.skipIf(slurm_cluster.missing(), f"no Slurm: {slurm_cluster.missing()}")
class SlurmSweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "bin").mkdir()
        (self.root / "bin" / "septet").symlink_to(SEPTET)
        os.environ["PATH"] = f"{self.root / 'bin'}:{os.environ['PATH']}"
        (self.root / "sweep.toml").write_text(SWEEP)
        (self.root / "slurm").mkdir()
        self.cluster = slurm_cluster.Cluster(self.root / "slurm")
        self.addCleanup(self.cluster.stop)
        self.cluster.start()

    def septet(self, *words):
        return subprocess.run((SEPTET, "sweep", "sweep.toml") + words, cwd=self.root, check=False,
                              capture_output=True, text=True)

    def submit(self):
        said = self.cluster.call("sbatch", f"--chdir={self.root}",
                                 f"--output={self.root}/task-%a.txt", self.root / "job.sh")
        return re.search(r"\d+$", said).group()

    def states(self, job):
        """By task; those that ended are not in the queue any more."""
        lines = self.cluster.call("squeue", "-h", "-r", "-j", job, "-o", "%K %T", check=False)
        return dict(line.split() for line in lines.splitlines())

    def release(self, job):
        """Slurm lets a requeued task wait for two minutes."""
        for task, state in self.states(job).items():
            if state == "PENDING":
                self.cluster.call("scontrol", "update", f"JobId={job}_{task}", "StartTime=now",
                                  check=False)

    def wait_for(self, holds, what):
        end = time.monotonic() + PATIENCE_S
        while not holds():
            self.assertLess(time.monotonic(), end, f"{what}\n{self.tasks()}\n{self.cluster.logs()}")
            time.sleep(0.1)

    def tasks(self):
        return "\n".join(f"== {path.name}\n{path.read_text()}"
                         for path in sorted(self.root.glob("task-*.txt")))

    def journal(self, task):
        path = self.root / "out" / f"journal-{task}-of-{TASKS}.jsonl"
        return path.read_text().count("\n") if path.exists() else 0

    def wait_for_points(self, job, task, more=20):
        begin = self.journal(task)

        def holds():
            self.release(job)
            return self.journal(task) >= begin + more
        self.wait_for(holds, f"task {task} makes no progress")

    def process_of(self, task):
        """The septet of a task, which has its number in its environment."""
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                name = (folder / "comm").read_text().strip()
                variables = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if name == "septet" and f"SLURM_ARRAY_TASK_ID={task}".encode() in variables:
                return int(folder.name)
        self.fail(f"task {task} does not run\n{self.tasks()}")

    def test_killed_requeued_and_doubled_tasks_give_the_table_of_a_run_without_slurm(self):
        self.assertEqual(self.septet("--output-dir", "whole").returncode, 0)
        expected = (self.root / "whole" / "sweep.csv").read_bytes()

        script = self.septet("--output-dir", "out", "--slurm", str(TASKS), "--threads", "1").stdout
        (self.root / "job.sh").write_text(script)
        job = self.submit()

        # Warned before its time ends: it says 75, and the script requeues it.
        self.wait_for_points(job, 0)
        self.cluster.call("scancel", "--batch", "--signal=USR1", f"{job}_0")
        self.wait_for(lambda: "interrupted" in self.tasks(), "task 0 was not interrupted")
        # As after the loss of its node.
        self.wait_for_points(job, 1)
        self.cluster.call("scontrol", "requeue", f"{job}_1")
        # Killed for good, in the middle of anything.
        self.wait_for_points(job, 2)
        os.kill(self.process_of(2), signal.SIGKILL)

        # The user submits the same again, whatever of it still runs.
        self.wait_for_points(job, 0)
        again = self.submit()

        def all_ended():
            for one in (job, again):
                self.release(one)
            return not self.states(job) and not self.states(again)
        self.wait_for(all_ended, "tasks don't end")

        merged = self.septet("--output-dir", "out", "--merge")
        self.assertEqual(merged.returncode, 0, merged.stderr + self.tasks())
        self.assertEqual((self.root / "out" / "sweep.csv").read_bytes(), expected)


if __name__ == "__main__":
    unittest.main()
