"""A run that is denied any one of its writes, or is killed at it, leaves the old or the new result.

Slow: one run for every operation.
"""

import errno
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

import faulty


class EveryWrite(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.runs = faulty.Runs(temporary.name)
        self.runs.put_old()
        self.most = faulty.operations(self.runs.command(True), self.runs.out, "writes",
                                      self.runs.folder / "count")
        self.assertGreater(self.most, 20)

    def run_spoilt(self, at, error):
        self.runs.put_old()
        return subprocess.run(self.runs.command(True), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, timeout=120,
                              env=faulty.spoilt(self.runs.out, "writes", at, error))

    def test_a_failed_write_is_said_and_leaves_the_old_result(self):
        for error in (errno.ENOSPC, errno.EIO):
            for at in range(1, self.most + 1):
                with self.subTest(error=os.strerror(error), at=at):
                    self.check_failure(self.run_spoilt(at, error))

    def check_failure(self, done):
        if done.returncode == 0:  # nothing that matters, such as the owner's name in the lock
            self.assertEqual((self.runs.found(), self.runs.beside()), (True, []), done.stderr)
            return
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"error: /.*: .*")
        left = re.search(r"the result, which is in (\S+):", done.stderr)
        self.assertEqual(self.runs.beside(), [pathlib.Path(left[1]).name] if left else [])
        published = "to the disk" in done.stderr  # of the name, after the exchange
        self.assertIn(self.runs.found(), (False, True) if published else (False,))

    def test_a_run_killed_at_any_write_leaves_a_whole_result(self):
        for at in range(1, self.most + 1):
            with self.subTest(at=at):
                done = self.run_spoilt(at, 0)
                self.assertEqual(done.returncode, -signal.SIGKILL)
                self.assertIsNotNone(self.runs.found())

    def test_the_next_run_removes_what_a_killed_one_left(self):
        for at in range(1, self.most + 1, max(1, self.most // 20)):
            with self.subTest(at=at):
                self.run_spoilt(at, 0)
                subprocess.run(self.runs.command(True), stdout=subprocess.DEVNULL, check=True,
                               timeout=120)
                self.assertEqual((self.runs.found(), self.runs.beside()), (True, []))


if __name__ == "__main__":
    unittest.main()
