"""The probe of a node: its list of cases, a dry run that `septet validate` knows, the profile."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
NODE = ROOT / "tools" / "probe" / "node"
sys.path.insert(0, str(NODE))

import cases  # noqa: E402  (found through the line above)
import make_node  # noqa: E402
import probe_node  # noqa: E402
import system  # noqa: E402

SEPTET = os.environ.get("SEPTET", "")


def rows_of(gpus, nvls):
    return [row for case in cases.all_cases(gpus, nvls) for row in case.rows()]


class CasesTest(unittest.TestCase):
    def test_no_row_is_measured_twice(self):
        for gpus in range(2, 9):
            rows = [json.dumps(row, sort_keys=True)
                    for nvls in (False, True) for row in rows_of(gpus, nvls)]
            self.assertEqual(len(rows), len(set(rows)), gpus)

    def test_every_buffer_divides_among_the_ranks_in_whole_vectors(self):
        for gpus in range(2, 9):
            for case in cases.collectives(gpus, False):
                self.assertEqual(case.case["bytes"] % (16 * gpus), 0)

    def test_the_second_pass_has_what_a_switch_can_change_alone(self):
        self.assertEqual({case.part for case in cases.all_cases(8, True)}, {"collectives"})
        self.assertTrue(all("graph_of" in case.case for case in cases.all_cases(8, True)))

    def test_models_whose_heads_do_not_divide_are_left_out(self):
        self.assertEqual(cases.tensor(3, False), [])
        self.assertEqual(len(cases.tensor(4, False)), 2 * (8 + 3))


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.prefix = str(pathlib.Path(self.folder.name) / "node")

    def call(self, *arguments):
        with mock.patch.object(sys, "argv", ["probe_node.py", self.prefix, *arguments]):
            return probe_node.main()

    def test_a_dry_run_needs_no_gpu_and_writes_every_row_without_a_value(self):
        self.assertEqual(self.call("--dry-run", "--gpus", "4"), 0)
        lines = pathlib.Path(f"{self.prefix}.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line) for line in lines],
                         rows_of(4, False) + rows_of(4, True))

    def test_septet_answers_every_row_of_a_dry_run_but_training(self):
        if not SEPTET:
            self.skipTest("SEPTET names no command")
        self.call("--dry-run", "--gpus", "8", "--only", "links,collectives,overlap,tensor")
        out = subprocess.run([SEPTET, "validate", f"{self.prefix}.jsonl", "--json"], check=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout
        rows = json.loads(out)["rows"]
        unanswered = {row["limiter"] for row in rows if row["predicted"] is None}
        self.assertEqual(unanswered, set())

    def test_without_pytorch_it_says_what_is_missing(self):
        with mock.patch.dict(sys.modules, {"torch": None}):
            self.assertIn("cannot import torch", probe_node.what_is_missing(2))

    def test_wrong_parts_and_numbers_are_refused(self):
        for arguments in (("--only", "links,lanes"), ("--gpus", "9"), ("--gpus", "1")):
            with self.assertRaises(SystemExit) as failed, mock.patch("sys.stderr"):
                self.call("--dry-run", *arguments)
            self.assertEqual(failed.exception.code, probe_node.EXIT_USAGE)


class SystemTest(unittest.TestCase):
    def test_links_are_counted_from_the_status(self):
        status = "GPU 0: NVIDIA H200\n\t Link 0: 26.562 GB/s\n\t Link 1: 26.562 GB/s\n"
        self.assertEqual(system.nvlinks(status), {"count": 2, "gbps": 53.124})
        self.assertIsNone(system.nvlinks("Link 0: <inactive>"))

    def test_pcie_carries_a_byte_in_eight_transfers_of_a_lane(self):
        self.assertEqual(system.pcie_rate("5", "16"), 64)
        self.assertIsNone(system.pcie_rate("[N/A]", "16"))

    def test_gpus_of_a_cpu_are_told_only_where_all_have_as_many(self):
        self.assertEqual(system.gpus_per_cpu([0, 0, 1, 1]), 2)
        self.assertIsNone(system.gpus_per_cpu([0, 0, 1]))
        self.assertIsNone(system.gpus_per_cpu([-1, -1]))


class ProfileTest(unittest.TestCase):
    NODE = {"gpus": ["NVIDIA H200"] * 4, "nvlinks": None, "gpus_per_cpu": 2, "pcie_gbps": 64.0,
            "nics": [400, 400], "driver": "580"}

    def rows(self):
        # 5 us beside 100 GB/s.
        return [{"case": {"op": "peer_copy", "bytes": size}, "value": 5 + size / 1e5}
                for size in (1 << 20, 256 << 20, 1 << 30)]

    def made(self, node):
        base = tomllib.loads((ROOT / "data/nodes/hgx-h200.toml").read_text())
        return tomllib.loads(make_node.profile(node, self.rows(), base, "hgx-h200"))

    def test_the_rate_of_copies_is_that_without_what_each_costs(self):
        self.assertEqual(self.made(self.NODE)["nvlink"]["value"], "100 GB/s")

    def test_links_that_are_told_come_before_copies(self):
        node = self.NODE | {"nvlinks": {"count": 18, "gbps": 478.1}}
        made = self.made(node)["nvlink"]
        self.assertEqual(made, {"value": "478.1 GB/s", "source": "nvidia-smi nvlink: 18 links"})

    def test_every_number_has_a_source_and_what_was_not_measured_that_of_the_base(self):
        made = self.made(self.NODE)
        self.assertEqual(made["gpus"]["value"], 4)
        self.assertEqual(made["nic"]["value"], "50 GB/s")
        self.assertTrue(made["cpu"]["source"].startswith("hgx-h200: guess"))
        self.assertTrue(all(entry["source"] for entry in made.values() if isinstance(entry, dict)))

    def test_septet_reads_it(self):
        if not SEPTET:
            self.skipTest("SEPTET names no command")
        with tempfile.TemporaryDirectory() as folder:
            nodes = pathlib.Path(folder) / "nodes"
            nodes.mkdir()
            base = tomllib.loads((ROOT / "data/nodes/hgx-h200.toml").read_text())
            (nodes / "mine.toml").write_text(
                make_node.profile(self.NODE, self.rows(), base, "hgx-h200"))
            network = pathlib.Path(folder) / "network.toml"
            network.write_text('[network]\nshape = "node"\nnode = "mine"\n')
            done = subprocess.run(
                [SEPTET, "bench", "collective", "--topology", str(network), "--json"], check=False,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env=os.environ | {"SEPTET_DATA": folder})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["gpus"], 4)


if __name__ == "__main__":
    unittest.main()
