"""`septet.run` and `septet.replay`: what the command says, and tables in shared memory."""

import copy
import gc
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy

import septet
from command import CHAIN, ROOT, SEPTET, same, told

FORK = ROOT / "scenarios/shipped/fork-join.toml"
RECORDING = ROOT / "data/measurements/h200/traces/gpt2-batch1-seq128-eager.json.gz"


class Run(unittest.TestCase):
    def test_says_what_the_command_says(self):
        ours, theirs = same(septet.run(FORK).report, told("run", FORK))
        self.assertEqual(ours["digest"], theirs["digest"])
        self.assertEqual(ours["what_ifs"], theirs["what_ifs"])
        self.assertEqual(ours["summary"]["attribution"], theirs["summary"]["attribution"])
        self.assertEqual(ours["summary"]["kernels"][:10], theirs["summary"]["kernels"])

    def test_takes_a_dict_for_a_file(self):
        result = septet.run(CHAIN)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "chain.toml"
            septet.Scenario(CHAIN).save(file)
            self.assertEqual(septet.run(file).digest, result.digest)
            self.assertEqual(told("run", file)["digest"], result.digest)

    def test_a_scenario_can_be_changed(self):
        scenario = septet.Scenario.load(FORK)
        self.assertEqual(scenario["hardware"]["gpu"], "h200-sxm")
        moved = scenario.changed(hardware={"gpu": "a100-sxm-80gb"})
        self.assertEqual(scenario["hardware"]["gpu"], "h200-sxm")
        self.assertEqual(moved.resolved()["hardware"]["gpu"], "a100-sxm-80gb")
        moved["kernel"][0]["grid"] = 1
        self.assertNotEqual(septet.run(moved).digest, septet.run(scenario).digest)
        self.assertIn("clock", str(scenario.resolved()))

    def test_settings_are_those_of_the_command(self):
        setting = "kernel.step.block_time"
        self.assertEqual(septet.run(CHAIN, set={setting: "4 us"}).digest,
                         septet.run(with_block_time("4 us")).digest)

    def test_what_ifs_come_in_their_order_and_with_their_tables(self):
        result = septet.run(CHAIN, what_ifs=["cuda-graphs", "host-speed=2"], keep_what_ifs=True)
        self.assertEqual([one.name for one in result.what_ifs], ["cuda-graphs", "host-speed=2"])
        graph = result.what_ifs[0]
        self.assertAlmostEqual(graph.speedup, result.simulated_us / graph.simulated_us)
        self.assertEqual(len(graph.tables["kernels"]), 100)
        frame = result.what_ifs_to_pandas()
        self.assertEqual(list(frame.index), ["baseline", "cuda-graphs", "host-speed=2"])
        self.assertEqual(frame.loc["baseline", "simulated_us"], result.simulated_us)

    def test_threads_change_nothing(self):
        scenario = ROOT / "scenarios/shipped/ddp-8.toml"
        self.assertEqual(septet.run(scenario).digest, septet.run(scenario, threads=2).digest)

    def test_serving_and_claims_have_results_of_their_own(self):
        file = ROOT / "scenarios/article/registers-blocks.toml"
        claims = septet.run(file)
        self.assertIsInstance(claims, septet.Claims)
        self.assertEqual(*same(claims.report, told("run", file)))


def with_block_time(time):
    scenario = copy.deepcopy(CHAIN)
    scenario["kernel"][0]["block_time"] = time
    return scenario


class Tables(unittest.TestCase):
    def test_columns_are_those_of_the_trace_file(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([SEPTET, "run", FORK, "--output-dir", f"{folder}/out", "--quiet"],
                           check=True, stdout=subprocess.DEVNULL)
            result = septet.run(FORK)
            with h5py.File(f"{folder}/out/trace.h5") as file:
                for name, table in result.tables.items():
                    if len(table) == 0:
                        continue
                    for column in table.columns:
                        numpy.testing.assert_array_equal(table[column], file[name][column][:])
                        self.assertEqual(table.units[column], file[name][column].attrs["units"])

    def test_share_the_memory_of_the_run(self):
        kernels = septet.run(CHAIN).kernels
        start = kernels["start"]
        self.assertFalse(start.flags.owndata)
        self.assertFalse(start.flags.writeable)
        self.assertTrue(numpy.shares_memory(start, kernels.array))
        self.assertEqual(start.dtype, numpy.int64)
        self.assertEqual(start.strides, (kernels.array.dtype.itemsize,))

    def test_outlive_their_run(self):
        starts = [septet.run(CHAIN).kernels["start"] for _ in range(3)]
        gc.collect()
        for one in starts[1:]:
            numpy.testing.assert_array_equal(one, starts[0])

    def test_frames_have_names_as_text(self):
        result = septet.run(CHAIN)
        frame = result.kernels.to_pandas(time_unit="us")
        self.assertEqual(set(frame["name"]), {"step"})
        self.assertEqual(set(frame["thread"]), {"cpu"})
        self.assertEqual(frame.attrs["units"]["start"], "us")
        numpy.testing.assert_allclose(frame["start"], result.kernels["start"] / 1e6)
        calls = result.api_calls.to_pandas()
        self.assertEqual(list(calls["kind"]), ["launch_kernel"] * 100 + ["synchronize_stream"])
        self.assertEqual(result.kernels.to_pandas()["start"].dtype, numpy.int64)

    def test_what_is_not_there_is_said(self):
        with self.assertRaisesRegex(KeyError, "no table links; it has api_calls, kernels"):
            septet.run(CHAIN).links


class Replay(unittest.TestCase):
    def test_says_what_the_command_says(self):
        result = septet.replay(RECORDING, what_ifs=["cuda-graphs"])
        theirs = told("replay", RECORDING, "--what-if", "cuda-graphs")
        self.assertEqual(result.report["baseline"], theirs["baseline"])
        self.assertEqual(result.digest, theirs["digest"])
        self.assertEqual(result.what_ifs[0].simulated_us, theirs["what_ifs"][0]["simulated_us"])
        self.assertIn("gpu_busy", result.report["attribution"])

    def test_moves_to_another_gpu(self):
        moved = septet.replay(RECORDING, target_gpu="a100-sxm-80gb").what_ifs
        self.assertEqual([one.name for one in moved], ["gpu=a100-sxm-80gb"])


if __name__ == "__main__":
    unittest.main()
