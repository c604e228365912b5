"""Runs that are killed at random moments, interrupted, and raced leave whole results. Slow."""

import os
import random
import signal
import subprocess
import tempfile
import time
import unittest

import faulty

KILLS = 200
INTERRUPTS = 100
RACES = 100


class KillsAndRaces(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.runs = faulty.Runs(temporary.name)
        self.seed = random.randrange(2**32)
        self.random = random.Random(self.seed)
        begin = time.monotonic()
        subprocess.run(self.runs.command(True), stdout=subprocess.DEVNULL, check=True, timeout=120)
        self.longest = 1.2 * (time.monotonic() - begin)

    def start(self, longer=True):
        return subprocess.Popen(self.runs.command(longer), stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def stopped(self, number):
        """(exit code, standard error) of a run that gets the signal at a random moment."""
        self.runs.put_old()
        process = self.start()
        time.sleep(self.random.uniform(0, self.longest))
        process.send_signal(number)
        err = process.communicate(timeout=120)[1]
        return process.returncode, err

    def test_a_killed_run_leaves_a_whole_result(self):
        found = {False: 0, True: 0}
        for i in range(KILLS):
            with self.subTest(seed=self.seed, kill=i):
                self.stopped(signal.SIGKILL)
                now = self.runs.found()
                self.assertIsNotNone(now)
                found[now] += 1
        self.assertGreater(found[False], 0)  # else all came too late to say anything

    def test_an_interrupted_run_leaves_a_whole_result_and_nothing_else(self):
        for i in range(INTERRUPTS):
            number = self.random.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
            with self.subTest(seed=self.seed, interrupt=i, signal=number):
                code, err = self.stopped(number)
                # Before main() there is no handler yet; afterwards the run may have been faster.
                self.assertIn(code, (75, 0, -number), err)
                self.assertIsNotNone(self.runs.found())
                self.assertEqual(self.runs.beside(), [])

    def test_of_two_runs_into_one_folder_one_is_refused_or_waits_its_turn(self):
        refused = 0
        for i in range(RACES):
            with self.subTest(race=i):
                self.runs.put_old()
                both = [self.start(longer) for longer in (False, True)]
                errors = [process.communicate(timeout=120)[1] for process in both]
                codes = [process.returncode for process in both]
                self.assertIn(0, codes, errors)
                for code, err in zip(codes, errors):
                    self.assertTrue(code == 0 or "is writing its result there" in err, err)
                refused += codes.count(1)
                if 1 in codes:
                    self.assertEqual(self.runs.found(), bool(codes.index(0)))
                self.assertIsNotNone(self.runs.found())
                self.assertEqual(self.runs.beside(), [])
        self.assertGreater(refused, 0, os.cpu_count())  # else the two never met


if __name__ == "__main__":
    unittest.main()
