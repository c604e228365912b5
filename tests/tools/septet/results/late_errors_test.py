"""Errors that come late lose no earlier work; timelines and traces as they are asked for."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import h5py

import faulty

# Of two what-ifs the first can't run: each of its 20 kernels takes 11 days, and times end at 106.
TOO_LONG = """
[[what_if]]
name = "too long"
change = "kernel=k:scale=1e6 + kernel=k:scale=1e5"
[[what_if]]
name = "three times as long"
change = "kernel=k:scale=3"
"""
NO_ROWS = """
[hardware]
gpu = "h200-sxm"
[[thread]]
name = "t"
steps = [{ host_work = "10 us" }]
"""
GPUS = """
[hardware]
gpu = "h200-sxm"
gpus = 2
[[stream]]
name = "a"
[[stream]]
name = "b"
device = 1
[[kernel]]
name = "k"
grid = 1
block = 32
block_time = "10 us"
[[thread]]
name = "t"
steps = [{ launch = "k", stream = "a", times = 20 }, { launch = "k", stream = "b", times = 20 },
         { synchronize_stream = "a" }, { synchronize_stream = "b" }]
"""


class LateErrors(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()
        self.out = self.folder / "out"

    def run_text(self, text, *options):
        """(exit code, JSON or None, standard error)"""
        file = self.folder / "scenario.toml"
        file.write_text(text, encoding="ascii")
        done = subprocess.run([faulty.SEPTET, "run", str(file), "--json", "--output-dir",
                               str(self.out), *options], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, timeout=120)
        return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr

    def test_a_what_if_that_fails_takes_no_other_with_it(self):
        code, report, err = self.run_text(faulty.SCENARIO + TOO_LONG)
        self.assertEqual(code, 5, err)
        failed = [one["name"] for one in report["what_ifs"] if one["simulated_us"] is None]
        self.assertEqual(failed, ["too long"])
        self.assertEqual([one["name"] for one in report["what_ifs"]],
                         ["twice as long", "too long", "three times as long"])
        self.assertIn("error: what if too long: ", err)
        kept = json.loads((self.out / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(kept["what_ifs"], report["what_ifs"])
        self.assertIn("too long", (self.out / "summary.txt").read_text(encoding="utf-8"))

    def test_it_does_where_that_is_wanted(self):
        code, report, _ = self.run_text(faulty.SCENARIO + TOO_LONG, "--keep-going", "no")
        self.assertEqual(code, 3)
        self.assertIn("too long", report["error"]["message"])
        self.assertFalse(self.out.exists())

    def test_a_wrong_what_if_is_found_before_the_run(self):
        endless = faulty.SCENARIO.replace("times = 20", "times = 15000000")
        code, _, err = self.run_text(endless, "--no-limits", "--what-if", "kernel=k:scale=no")
        self.assertEqual(code, 2, err)

    def test_a_run_without_rows_is_a_result(self):
        code, report, err = self.run_text(NO_ROWS)
        self.assertEqual(code, 0, err)
        self.assertEqual(report["summary"]["gpu_commands"], 0)
        self.assertEqual({"trace.h5", "timeline.pftrace", "summary.txt", "summary.json",
                          "provenance.json"}, {path.name for path in self.out.iterdir()})

    def test_the_timeline_is_optional_and_has_a_format(self):
        self.run_text(GPUS, "--timeline", "none")
        self.assertFalse(list(self.out.glob("timeline*")))
        self.run_text(GPUS, "--timeline", "chrome")
        self.assertEqual([path.name for path in self.out.glob("timeline*")], ["timeline.json.gz"])

    def slices(self, *options):
        self.assertEqual(self.run_text(GPUS, *options)[0], 0)
        out = self.folder / "timeline.csv"
        subprocess.run([faulty.SEPTET, "replay", str(self.out / "timeline.json.gz"), "--quiet"],
                       stdout=subprocess.DEVNULL, check=True, timeout=120)
        words = [faulty.SEPTET, "export", str(self.out / "trace.h5"), "--format", "csv", "--output",
                 str(out)]
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True, timeout=120)
        return out.read_text(encoding="utf-8")

    def test_a_timeline_can_be_of_some_gpus_and_of_a_window(self):
        sizes = {}
        for options in ((), ("--timeline-gpus", "1"), ("--timeline-window", "0 us:50 us")):
            self.assertEqual(self.run_text(GPUS, "--timeline", "perfetto", *options)[0], 0)
            timeline = (self.out / "timeline.pftrace").read_bytes()
            sizes[options] = len(timeline)
            self.assertEqual(b"GPU 0" in timeline, "--timeline-gpus" not in options)
            self.assertIn(b"GPU 1", timeline) if "--timeline-window" not in options else None
        self.assertLess(sizes["--timeline-gpus", "1"], sizes[()])
        self.assertLess(sizes["--timeline-window", "0 us:50 us"], sizes[()])

    def test_what_ifs_keep_traces_of_their_own_where_that_is_wanted(self):
        self.assertEqual(self.run_text(faulty.SCENARIO, "--keep-what-ifs")[0], 0)
        folder = self.out / "what_ifs" / "01-twice_as_long"
        self.assertEqual({path.name for path in folder.iterdir()}, {"trace.h5", "timeline.pftrace"})
        with h5py.File(folder / "trace.h5") as file, h5py.File(self.out / "trace.h5") as base:
            self.assertEqual(file.attrs["what_if"], "twice as long")
            times = [one["kernels/end"][0] - one["kernels/start"][0] for one in (base, file)]
        self.assertEqual(times[1] - times[0], 10_000_000)  # picoseconds
        # The next result has none of them.
        self.run_text(faulty.SCENARIO)
        self.assertFalse((self.out / "what_ifs").exists())


if __name__ == "__main__":
    unittest.main()
