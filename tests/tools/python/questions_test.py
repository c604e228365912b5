"""`explain`, `occupancy`, `validate`, `capacity` and `hardware`, beside the command."""

import math
import unittest

import matplotlib

import septet
from command import CHAIN, ROOT, same, told

matplotlib.use("Agg")
KERNEL = ROOT / "scenarios/shipped/kernels/vector-add.toml"
ROWS = ROOT / "data/measurements/h200/launch.jsonl"


class Explain(unittest.TestCase):
    def test_says_what_the_command_says(self):
        result = septet.explain(KERNEL)
        theirs = told("explain", KERNEL)
        for key in ("time_us", "limiter", "stages", "metrics", "advice"):
            self.assertEqual(result.report[key], theirs[key])
        self.assertAlmostEqual(result.stages_to_pandas()["share"].sum(), 1)

    def test_takes_an_operator(self):
        shape = {"m": 4096, "n": 4096, "k": 4096, "dtype": "bf16"}
        result = septet.explain(op="gemm", gpu="h100-sxm", **shape)
        words = [word for key, value in shape.items() for word in (f"--{key}", value)]
        theirs = told("explain", "--op", "gemm", "--gpu", "h100-sxm", *words)
        self.assertEqual(result.time_us, theirs["time_us"])

    def test_takes_a_dict_with_settings(self):
        kernel = septet.Scenario.load(KERNEL)
        change = {"kernel.registers": 64}
        self.assertEqual(septet.explain(kernel, set=change).time_us,
                         septet.explain(KERNEL, set=change).time_us)

    def test_takes_all_rows_of_a_report(self):
        report = ROOT / "data/measurements/h200/kernels/gpt2-1-128.csv"
        result = septet.explain(report)
        self.assertEqual(len(result.to_pandas()), len(told("explain", report)["kernels"]))
        self.assertEqual(septet.explain(report, id=3).time_us,
                         told("explain", report, "--id", 3)["time_us"])

    def test_wants_one_thing(self):
        with self.assertRaisesRegex(TypeError, "wanted a kernel, or an operator"):
            septet.explain()


class Others(unittest.TestCase):
    def test_occupancy_says_what_the_command_says(self):
        result = septet.occupancy(block=256, registers=40, shared="48 KiB", grid=(100, 100))
        self.assertEqual(result.report, told("occupancy", "--block", 256, "--registers", 40,
                                             "--shared", "48 KiB", "--grid", "100,100"))
        # 228 KiB of an H200's SM hold four blocks of 48 KiB and 1 KiB that the system takes.
        self.assertEqual((result.blocks_per_sm, result.limiter), (4, "shared memory"))
        in_bytes = septet.occupancy(block=256, registers=40, shared=48 * 1024)
        self.assertEqual(in_bytes.report["limits"], result.report["limits"])

    def test_validate_says_what_the_command_says(self):
        result = septet.validate(ROWS)
        self.assertEqual(*same(result.report, told("validate", ROWS)))
        self.assertEqual(len(result.to_pandas()), len(result.report["rows"]))
        groups = result.groups_to_pandas()
        self.assertTrue(math.isfinite(groups["median_abs_pct"].iloc[0]))

    def test_capacity_says_what_the_command_says(self):
        file = ROOT / "scenarios/shipped/capacity/chat-8b.toml"
        change = {"search.max_gpus": 4}
        result = septet.capacity(file, set=change)
        theirs = told("capacity", file, "--set", "search.max_gpus=4")
        self.assertEqual(result.feasible, theirs["feasible"])
        self.assertEqual(result.report["candidates"], theirs["candidates"])
        self.assertEqual(len(result.candidates_to_pandas()), len(theirs["candidates"]))

    def test_hardware_names_every_source(self):
        self.assertIn("h200-sxm", [one["name"] for one in septet.hardware()])
        numbers = septet.hardware("h200-sxm")["numbers"]
        self.assertTrue(all(one["source"] for one in numbers.values()))

    def test_files_that_come_with_septet_are_found(self):
        self.assertEqual(septet.run(septet.shipped("scenarios/shipped/fork-join.toml")).digest,
                         septet.run(ROOT / "scenarios/shipped/fork-join.toml").digest)
        septet.shipped("data/measurements/h200")
        with self.assertRaises(FileNotFoundError):
            septet.shipped("scenarios/shipped/nothing.toml")


class Plots(unittest.TestCase):
    def test_are_matplotlib_axes_with_units(self):
        run = septet.run(CHAIN, what_ifs=["cuda-graphs"])
        kernel = septet.explain(KERNEL)
        for axes, label in (
                (run.plot.timeline(), "time / µs"), (run.plot.what_ifs(), "time / µs"),
                (run.plot.attribution(), "time / µs"), (kernel.plot.stages(), "time / µs"),
                (kernel.plot.roofline(), "operations / byte of DRAM"),
                (septet.occupancy(block=256, registers=40).plot.curve(), "threads of a block")):
            self.assertEqual(axes.get_xlabel(), label)

    def test_a_bar_is_as_long_as_its_what_if(self):
        run = septet.run(CHAIN, what_ifs=["cuda-graphs"])
        axes = run.plot.what_ifs()
        longest = max(bar.get_x() + bar.get_width() for bar in axes.patches)
        self.assertAlmostEqual(longest, run.simulated_us, places=3)


if __name__ == "__main__":
    unittest.main()
