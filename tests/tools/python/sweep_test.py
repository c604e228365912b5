"""`septet.sweep`: the command's tables, from files and dicts, resumed and ended by Ctrl-C."""

import concurrent.futures
import copy
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import numpy
import pandas

import septet
from command import CHAIN, ROOT, SEPTET

LAUNCH_COST = ROOT / "scenarios/shipped/sweeps/launch-cost.toml"
FACTORS = [1, 2, 3]
TIMES = ["2 us", "5 us"]


def chain(**sweep):
    axes = [{"key": "kernel.step.grid", "values": FACTORS},
            {"key": "kernel.step.block_time", "values": TIMES}]
    return septet.Scenario({**copy.deepcopy(CHAIN), "sweep": {"axis": axes, **sweep}}, name="mine")


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_writes_the_tables_of_the_command(self):
        result = septet.sweep(LAUNCH_COST, output_dir=self.folder / "ours")
        subprocess.run([SEPTET, "sweep", LAUNCH_COST, "--output-dir", self.folder / "theirs",
                        "--quiet"], check=True, stdout=subprocess.DEVNULL)
        theirs = self.folder / "theirs/sweep.csv"
        self.assertEqual((self.folder / "ours/sweep.csv").read_text(), theirs.read_text())
        frame = pandas.read_csv(theirs, keep_default_na=False)
        self.assertEqual(list(frame.columns), result.columns)
        for name in result.columns:
            numpy.testing.assert_array_equal(frame[name], result[name])
        self.assertEqual(result.units["simulated_us"], "us")

    def test_of_a_dict_has_a_row_for_each_point_in_the_order_of_the_description(self):
        result = septet.sweep(chain(outputs=["simulated_us"]))
        self.assertEqual(result.columns, ["point", "status", "kernel.step.grid",
                                          "kernel.step.block_time", "simulated_us", "message"])
        numpy.testing.assert_array_equal(result["kernel.step.grid"], numpy.repeat(FACTORS, 2))
        self.assertEqual(list(result["kernel.step.block_time"]), TIMES * 3)
        self.assertEqual(result["simulated_us"].dtype, numpy.float64)
        self.assertEqual((result.statuses, result.failures), ({"done": 6}, []))
        frame = result.to_pandas()
        self.assertEqual((len(frame), frame.attrs["units"]), (6, {"simulated_us": "us"}))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_settings_of_a_point_run_it_alone(self):
        result = septet.sweep(chain())
        for point, time in zip(result["point"], result["simulated_us"]):
            self.assertEqual(septet.run(CHAIN, set=result.settings(point)).simulated_us, time)

    def test_goes_on_where_it_stopped_also_by_the_command(self):
        out = self.folder / "out"
        septet.sweep(chain(), output_dir=out)
        wanted = (out / "sweep.csv").read_text()
        lines = (out / "journal.jsonl").read_text().splitlines(keepends=True)
        (out / "journal.jsonl").write_text("".join(lines[:3]) + lines[3][:20])
        (out / "sweep.csv").unlink()
        septet.sweep(chain(), output_dir=out)
        self.assertEqual((out / "sweep.csv").read_text(), wanted)
        before = (out / "journal.jsonl").read_text()
        subprocess.run([SEPTET, "sweep", out / "scenario.toml", "--output-dir", out, "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        self.assertEqual((out / "journal.jsonl").read_text(), before)
        self.assertEqual((out / "sweep.csv").read_text(), wanted)

    def test_points_without_a_result_are_rows_with_their_reason(self):
        # 1024 threads with 255 registers each, in units of 8, are four times what an SM has.
        axes = [{"key": "kernel.step.block", "values": [1024]},
                {"key": "kernel.step.registers", "values": [32, 255]}]
        result = septet.sweep(chain(axis=axes))
        self.assertEqual(result.statuses, {"done": 1, "failed": 1})
        failure, = result.failures
        self.assertEqual((failure["point"], failure["settings"]["kernel.step.registers"]),
                         (result["point"][1], 255))
        self.assertIn("takes 262144 registers, an SM has 65536", failure["message"])
        self.assertTrue(numpy.isnan(result["simulated_us"][1]))
        self.assertEqual(result.report["failed"], 1)

    def test_mistakes_name_the_scenario_and_the_key(self):
        for base, key in ((chain(axis=[{"key": "kernel.step.grid", "values": ["many"]}]),
                           "kernel.step.grid"),
                          (chain(outputs=["nothing"]), "sweep.outputs")):
            with self.assertRaises(septet.ConfigError) as caught:
                septet.sweep(base, output_dir=self.folder / "wrong")
            self.assertEqual(caught.exception.key, key)
            self.assertFalse((self.folder / "wrong").exists())
        with self.assertRaises(ValueError):
            septet.sweep(chain(), threads=-1)

    def test_a_folder_of_another_sweep_is_left_alone(self):
        septet.sweep(chain(), output_dir=self.folder / "out")
        before = {file: file.read_bytes() for file in (self.folder / "out").iterdir()
                  if file.is_file() and not file.name.startswith(".")}
        with self.assertRaises(septet.ConfigError):
            septet.sweep(chain(outputs=["simulated_us"]), output_dir=self.folder / "out")
        self.assertEqual({file: file.read_bytes() for file in before}, before)

    def test_several_threads_sweep_at_once_and_say_the_same(self):
        alone = septet.sweep(chain(), threads=1).to_pandas()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for frame in pool.map(lambda _: septet.sweep(chain(), threads=2).to_pandas(), range(8)):
                pandas.testing.assert_frame_equal(frame, alone)

    def test_ctrl_c_ends_it_and_the_same_call_goes_on(self):
        many = chain(axis=[{"key": "kernel.step.grid", "from": 1, "to": 300, "count": 300,
                            "whole": True}])
        many["thread"][0]["steps"][0]["times"] = 5000
        out = self.folder / "out"

        def interrupt_after_a_point():
            journal = out / "journal.jsonl"
            while not journal.exists() or journal.read_bytes().count(b"\n") < 2:
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt_after_a_point).start()
        with self.assertRaises(KeyboardInterrupt):
            septet.sweep(many, output_dir=out, threads=1)
        done = len((out / "journal.jsonl").read_text().splitlines()) - 1
        self.assertGreater(done, 0)
        self.assertLess(done, 300)
        self.assertFalse((out / "sweep.csv").exists())
        self.assertEqual(septet.sweep(many, output_dir=out).statuses, {"done": 300})


if __name__ == "__main__":
    unittest.main()
