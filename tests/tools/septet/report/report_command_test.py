"""`septet report` from outside: what it writes, how large, and what it refuses."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
SEPTET = ""
MOST_BYTES = 3_000_000
# Small enough for a search in seconds.
CHAT = """
[arrivals]
rate = 200
requests = 60
input = { tokens = 200 }
output = { tokens = 8 }
[hardware]
gpu = "h100-sxm"
[serving]
model = "llama-3.2-1b"
engine = "vllm-v1"
prices = "aws"
[router]
routing = "least-loaded"
[slo]
e2e_p99 = "60 ms"
[search]
max_gpus = 8
seeds = 2
"""


def septet(*words, expect=0):
    done = subprocess.run([SEPTET, *map(str, words)], capture_output=True, text=True, timeout=300,
                          check=False)
    if done.returncode != expect:
        raise AssertionError(f"{words}: exit {done.returncode}\n{done.stderr}")
    return done


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "chat.toml").write_text(CHAT, encoding="ascii")
        septet("capacity", cls.folder / "chat.toml", "--output-dir", cls.folder / "chat")
        shipped = ROOT / "scenarios/shipped"
        septet("run", shipped / "serving/replicas-8.toml", "--output-dir", cls.folder / "serving",
               "--quiet")
        septet("run", shipped / "ddp-8.toml", "--output-dir", cls.folder / "training", "--quiet")
        explained = septet("explain", shipped / "kernels/vector-add.toml", "--json").stdout
        septet("sweep", shipped / "sweeps/launch-cost.toml", "--output-dir", cls.folder / "sweep",
               "--quiet")
        (cls.folder / "kernel.json").write_text(explained, encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def written(self, *names, more=()):
        file = self.folder / "report.html"
        results = [self.folder / name for name in names]
        said = json.loads(septet("report", *results, "-o", file, "--json", *more).stdout)
        return file.read_text(encoding="utf-8"), said

    def test_one_file_needs_no_network_and_stays_small(self):
        text, said = self.written("chat", "serving", "training", "kernel.json")
        self.assertEqual(said["bytes"], len(text.encode()))
        self.assertLessEqual(said["bytes"], MOST_BYTES)
        outside = re.findall(r"""(?:src|href)\s*=\s*["'](?!#|data:)[^"']*""", text)
        self.assertEqual(outside, [])
        self.assertEqual(re.findall(r"@import|url\(|fetch\(|XMLHttpRequest", text), [])

    def test_ids_are_unique(self):
        text, _ = self.written("chat", "serving", "training", "kernel.json")
        ids = re.findall(r' id="([^"]+)"', text)
        self.assertEqual(len(ids), len(set(ids)))
        for target in re.findall(r'href="#([^"]+)"', text):
            self.assertIn(target, ids)

    def test_a_search_has_its_sections(self):
        _, said = self.written("chat")
        sections = said["results"][0]["sections"]
        for wanted in ("Attainment and goodput against rate", "Sensitivity", "Latency",
                       "Load over time", "Steps over time", "Utilization", "Fleets tried",
                       "Confidence",
                       "How close such predictions came to measurements", "Assumptions",
                       "How to reproduce"):
            self.assertIn(wanted, sections)

    def test_cost_and_energy_name_price_and_day(self):
        text, _ = self.written("chat")
        summary = json.loads((self.folder / "chat/summary.json").read_text(encoding="utf-8"))
        best = summary["best"]
        price = summary["summary"]["cost"]["gpu_price"]
        self.assertAlmostEqual(best["cost_per_hour"], best["gpus"] * price["gpu_hour"])
        self.assertIn(f"{price['gpu_hour']:g} a GPU-hour, aws, {price['date']}", text)
        self.assertIn("average power of the GPUs", text)
        # Waiting H100s alone draw more than 60 W each.
        self.assertGreater(best["power_w"], 60 * best["gpus"])

    def test_sections_without_data_are_left_out(self):
        _, said = self.written("kernel.json")
        self.assertNotIn("Latency", said["results"][0]["sections"])
        self.assertIn("Time by stage", said["results"][0]["sections"])

    def test_a_sweep_shows_what_matters_most(self):
        text, said = self.written("sweep")
        self.assertIn("simulated_us", said["results"][0]["sections"])
        self.assertIn("Points", said["results"][0]["sections"])
        self.assertIn("simulated_us depends most on", text)

    def test_the_verdict_is_the_searchs_own(self):
        text, said = self.written("chat")
        summary = json.loads((self.folder / "chat/summary.json").read_text(encoding="utf-8"))
        gpus = summary["best"]["gpus"]
        self.assertTrue(said["results"][0]["statement"].startswith(f"{gpus} GPU"))
        headroom = 100 * (summary["headroom"] - 1)
        shown = re.search(r"<dt>headroom</dt><dd>([\d.]+) %", text)
        self.assertAlmostEqual(float(shown.group(1)), headroom, delta=0.06 * max(headroom, 1))

    def test_the_same_results_give_the_same_bytes(self):
        first, _ = self.written("chat", "training")
        second, _ = self.written("chat", "training")
        self.assertEqual(first, second)

    def test_markdown_goes_to_standard_output(self):
        text = septet("report", self.folder / "training", "--markdown", "-o", "-").stdout
        with open(ROOT / "scenarios/shipped/ddp-8.toml", "rb") as file:
            title = tomllib.load(file)["description"]
        self.assertTrue(text.startswith(f"# {title}\n"), text[:100])
        self.assertIn("### What-ifs side by side", text)
        self.assertIn("|---|---:|", text)

    def test_what_is_no_result_is_refused(self):
        (self.folder / "other.json").write_text("{}", encoding="ascii")
        done = septet("report", self.folder / "other.json", "-o", self.folder / "x.html", expect=3)
        self.assertIn("none of the results", done.stderr)
        septet("report", self.folder / "absent", "-o", self.folder / "x.html", expect=3)
        self.assertFalse((self.folder / "x.html").exists())

    def test_json_and_the_report_cannot_share_standard_output(self):
        septet("report", self.folder / "training", "-o", "-", "--json", expect=2)


if __name__ == "__main__":
    SEPTET = sys.argv.pop(1)
    unittest.main()
