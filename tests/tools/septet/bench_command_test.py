"""`septet bench` from outside. The argument is `septet`."""

import json
import os
import subprocess
import sys
import unittest

SEPTET = sys.argv.pop(1) if len(sys.argv) > 1 else ""


def run(*arguments):
    """(exit code, standard output, standard error)"""
    done = subprocess.run([SEPTET, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


class Bench(unittest.TestCase):
    def test_bench_phold_prints_json_whose_digest_does_not_depend_on_threads(self):
        digests = set()
        for threads in ("1", "2", "3"):
            code, out, _ = run("bench", "phold", "--lps", "64", "--end", "20 us", "--json",
                               "--threads", threads)
            self.assertEqual(code, 0)
            report = json.loads(out)
            self.assertGreater(report["events"], 64)
            self.assertGreater(report["events_per_s"], 0)
            digests.add((report["events"], report["digest"]))
        self.assertEqual(len(digests), 1)

    def test_bench_phold_takes_times_in_microseconds(self):
        digests = []
        for mean, lookahead, end in (("3", "1.5", "20"), ("3 us", "1500 ns", "0.02 ms")):
            code, out, _ = run("bench", "phold", "--lps", "64", "--mean", mean, "--lookahead",
                               lookahead, "--end", end, "--events-per-lp", "2", "--json")
            self.assertEqual(code, 0)
            digests.append(json.loads(out)["digest"])
        self.assertEqual(digests[0], digests[1])

    def test_bench_cluster_depends_on_neither_threads_nor_lookahead(self):
        results = set()
        for options in ([], ["--threads", "2"], ["--threads", "2", "--static-lookahead"]):
            code, out, _ = run("bench", "cluster", "--gpus", "8", "--end", "500", "--json",
                               *options)
            self.assertEqual(code, 0)
            report = json.loads(out)
            results.add((report["events"], report["digest"]))
        self.assertEqual(len(results), 1)

    def test_bench_collective_gives_the_time_of_a_ring_by_events_and_in_closed_form(self):
        common = ("bench", "collective", "--op", "all_reduce", "--bytes", "65536", "--gpus", "64",
                  "--topology", "ring", "--bandwidth", "50GB/s", "--latency", "500ns", "--json")
        exact = json.loads(run(*common, "--exact")[1])
        short = json.loads(run(*common)[1])
        # 2 x 63 steps of 500 ns and 1,024 bytes at 50 GB/s; 64 ranks send one message in each.
        for report in (exact, short):
            self.assertAlmostEqual(report["simulated_us"], 2 * 63 * (0.5 + 0.02048), places=6)
        self.assertEqual((exact["sends"], exact["method"]), (2 * 63 * 64, "chunk-level"))
        self.assertGreaterEqual(exact["events"], exact["sends"])
        self.assertEqual((short["events"], short["method"]), (0, "ring, symmetric"))
        self.assertGreater(exact["peak_rss_bytes"], 0)
        self.assertGreater(exact["wall_s"], 0)

    def test_bench_collective_names_what_does_not_go_together(self):
        for arguments, wanted in (
                (("--gpus", "1"), "--gpus"),
                (("--op", "all_redcue"), "--op: got 'all_redcue'"),
                (("--topology", "star"), 'got "star"'),
                (("--topology", "8x4", "--gpus", "64"), "wanted 64 GPUs"),
                (("--algorithm", "nvls"), "all_reduce over 8 ranks: got nvls"),
                (("--bandwidth", "50"), "--bandwidth"),
                (("--bandwidth", "0 GB/s"), "wanted a rate above 0")):
            code, out, err = run("bench", "collective", *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(wanted, err)

    def test_bench_collective_reads_networks(self):
        shipped = os.path.join(os.path.dirname(__file__), "..", "..", "..", "scenarios", "shipped")
        path = os.path.join(shipped, "networks", "hgx-h200.toml")
        report = json.loads(run("bench", "collective", "--topology", path, "--bytes", "8 MiB",
                                "--algorithm", "nvls", "--links", "1", "--json")[1])
        self.assertEqual((report["gpus"], report["algorithm"]), (8, "nvls"))
        self.assertEqual(report["links"][0]["bytes"], 9 << 20)  # n + 1 shares of n
        code, _, err = run("bench", "collective", "--topology", "nowhere.toml")
        self.assertEqual(code, 3)
        self.assertIn("nowhere.toml", err)


if __name__ == "__main__":
    unittest.main()
