"""Runs leave other threads running, go side by side, and end with Ctrl-C."""

import concurrent.futures
import os
import signal
import threading
import time
import unittest

import septet
from command import CHAIN, ROOT

LONG = {"thread.cpu.steps.0.times": 3_000_000}


class Threads(unittest.TestCase):
    def test_runs_side_by_side_say_the_same(self):
        files = [ROOT / "scenarios/shipped" / name
                 for name in ("fork-join.toml", "eager-chain.toml", "waves.toml")] * 4
        alone = [septet.run(file).digest for file in files[:3]] * 4
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual([run.digest for run in pool.map(septet.run, files)], alone)

    def test_other_threads_go_on(self):
        ticks = []
        done = threading.Event()

        def tick():
            while not done.wait(0.01):
                ticks.append(time.monotonic())

        other = threading.Thread(target=tick)
        other.start()
        begin = time.monotonic()
        septet.run(CHAIN, set={"thread.cpu.steps.0.times": 300_000})
        end = time.monotonic()
        done.set()
        other.join()
        during = [at for at in ticks if begin < at < end]
        self.assertGreater(len(during), 20 * (end - begin))

    def test_ctrl_c_ends_a_run(self):
        for _ in range(2):  # and the next run isn't disturbed
            timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            begin = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                septet.run(CHAIN, set=LONG)
            self.assertLess(time.monotonic() - begin, 3)
        self.assertEqual(len(septet.run(CHAIN).kernels), 100)

    def test_a_handler_of_signals_that_returns_lets_the_run_go_on(self):
        seen = []
        before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(True))
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1))
        timer.start()
        result = septet.run(CHAIN, set={"thread.cpu.steps.0.times": 300_000})
        self.assertEqual(len(result.kernels), 300_000)
        self.assertEqual(seen, [True])


if __name__ == "__main__":
    unittest.main()
