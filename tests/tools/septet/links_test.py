"""What `run` tells about the links of a network, from outside. The argument is `septet`."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py

SEPTET = sys.argv.pop(1) if len(sys.argv) > 1 else ""

# A step of two data-parallel nodes: gradients go over the NICs, nothing else leaves a node.
SCENARIO = """
[hardware]
gpu = "h200-sxm"
gpus = 16
traced_gpus = 8

[training]
seq_length = 256
data_parallel_size = 16
bucket_size = "25 MB"

[training.model]
num_layers = 2
hidden_size = 1024
num_attention_heads = 16
num_query_groups = 16
ffn_hidden_size = 2816
vocab_size = 8000

[network]
shape = "fat-tree"
node = "hgx-h200"
nodes = 2
switch_latency = "500 ns"
"""


def run(*arguments):
    done = subprocess.run([SEPTET, "run", *arguments], stdout=subprocess.PIPE, text=True,
                          check=True, timeout=120)
    return done.stdout


class Links(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            scenario = folder / "two-nodes.toml"
            scenario.write_text(SCENARIO, encoding="utf-8")
            out = folder / "out"
            cls.report = json.loads(run(str(scenario), "--json", "--output-dir", str(out)))
            cls.text = (out / "summary.txt").read_text(encoding="utf-8")
            cls.timeline = (out / "timeline.pftrace").read_bytes()
            with h5py.File(out / "trace.h5") as file:
                cls.rows = {column: file["links"][column][:]
                            for column in ("start", "end", "link", "bytes", "utilization")}
                cls.names = [text.decode() for text in file["dict/link/name"][:]]
                cls.ends = file["link_ends"][:]

    def test_the_busiest_links_are_those_of_the_trace(self):
        links = self.report["summary"]["links"]
        means = [link["mean_utilization"] for link in links]
        self.assertEqual(means, sorted(means, reverse=True))
        self.assertGreater(means[0], 0)
        for link in links:
            mine = self.rows["link"] == self.names.index(link["name"])
            self.assertEqual(link["bytes"], self.rows["bytes"][mine].sum())
            self.assertGreaterEqual(link["peak_utilization"], self.rows["utilization"][mine].max())
            self.assertGreaterEqual(link["peak_utilization"], link["mean_utilization"])
            self.assertEqual(link["links"], (self.ends["link"] ==
                                             self.names.index(link["name"])).sum())

    def test_utilization_is_bytes_over_what_the_link_could_carry(self):
        rates = dict(zip(self.ends["link"], self.ends["rate"]))
        for start, end, link, count, share in zip(*self.rows.values()):
            self.assertAlmostEqual(count, share * rates[link] * (end - start) * 1e-12, delta=2)
            self.assertLessEqual(share, 1 + 1e-9)

    def test_text_and_timeline_name_the_busiest(self):
        name = self.report["summary"]["links"][0]["name"]
        self.assertIn("busiest links", self.text)
        self.assertIn(name, self.text)
        self.assertIn(f"link {name}".encode(), self.timeline)


if __name__ == "__main__":
    unittest.main()
