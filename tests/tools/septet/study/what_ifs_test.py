"""What-ifs of `replay` and `run` from outside, and their chart. The argument is `septet`."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree

SEPTET = sys.argv.pop(1) if len(sys.argv) > 1 else ""
ROOT = pathlib.Path(__file__).parents[4]
RECORDING = ROOT / "data/measurements/h200/traces/gpt2-batch1-seq1-graph.json.gz"
BOTH = {"simulated_us", "events", "digest", "wall_s", "summary", "what_ifs", "warnings",
        "provenance"}
LONG = "remove=" + "no_such_kernel_at_all|" * 12 + "Memcpy + kernel=x<&>|.:scale=0.5"
WHAT_IFS = ("cuda-graphs", "ideal-launch", LONG)
SVG = "{http://www.w3.org/2000/svg}"
GLYPH = {"title": 15 * 0.61, "name": 13 * 0.61, "figure": 13 * 0.61, "small": 11 * 0.61}


def replay(folder):
    """(summary, chart) of a replay with the what-ifs."""
    out = pathlib.Path(folder) / "out"
    command = [SEPTET, "replay", str(RECORDING), "--quiet", "--json", "--output-dir", str(out)]
    for what_if in WHAT_IFS:
        command += ["--what-if", what_if]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=120)
    picture = tree.parse(out / "what_ifs.svg").getroot()
    return json.loads(done.stdout), picture


class Chart(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.summary, cls.picture = replay(folder)

    def rows(self):
        return self.picture.findall(f"{SVG}g")

    def test_each_run_has_a_bar_of_its_time(self):
        times = [self.summary["baseline"]["simulated_us"]]
        times += [what_if["simulated_us"] for what_if in self.summary["what_ifs"]]
        lengths = [sum(float(rect.get("width")) for rect in row.findall(f"{SVG}rect"))
                   for row in self.rows()]
        self.assertEqual(len(lengths), 1 + len(WHAT_IFS))
        for time, length in zip(times, lengths):
            self.assertAlmostEqual(length / max(lengths), time / max(times), delta=1e-3)

    def test_each_bar_has_its_whole_name_as_a_tooltip(self):
        names = [row.find(f"{SVG}title").text for row in self.rows()]
        self.assertEqual(names, ["(as recorded)", *WHAT_IFS])

    def test_no_text_leaves_the_picture(self):
        width = float(self.picture.get("width"))
        for text in self.picture.iter(f"{SVG}text"):
            length = len(text.text) * GLYPH[text.get("class")]
            middle = text.get("text-anchor") == "middle"
            left = float(text.get("x")) - (length / 2 if middle else 0)
            self.assertGreaterEqual(left, 0, text.text)
            self.assertLessEqual(left + length, width, text.text)

    def test_the_axis_names_its_unit(self):
        self.assertIn("time in us", [text.text for text in self.picture.iter(f"{SVG}text")])


SCENARIO = """
[hardware]
gpu = "h200-sxm"
[[stream]]
name = "s"
[[kernel]]
name = "k"
grid = 1
block = 32
block_time = "10 us"
[[thread]]
name = "t"
steps = [{ launch = "k", stream = "s", times = 20 }, { synchronize_stream = "s" }]
[[what_if]]
name = "twice as long"
change = "kernel=k:scale=2"
"""


def run(folder, text, *arguments):
    """(exit code, standard output, standard error) of `septet run` on a scenario."""
    file = pathlib.Path(folder) / "scenario.toml"
    file.write_text(text, encoding="ascii")
    done = subprocess.run([SEPTET, "run", str(file), *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


class Scenario(unittest.TestCase):
    def test_changes_of_the_file_and_of_the_command_line_are_made(self):
        with tempfile.TemporaryDirectory() as folder:
            _, out, _ = run(folder, SCENARIO, "--json", "--what-if", "kernel=k:scale=3")
        result = json.loads(out)
        times = [what_if["simulated_us"] for what_if in result["what_ifs"]]
        # Twenty kernels of a GPU-bound stream: 200 us more, and 400.
        self.assertAlmostEqual(times[0] - result["simulated_us"], 200, delta=0.001)
        self.assertAlmostEqual(times[1] - result["simulated_us"], 400, delta=0.001)

    def test_a_wrong_change_of_the_command_line_is_its_mistake(self):
        with tempfile.TemporaryDirectory() as folder:
            code, _, err = run(folder, SCENARIO, "--what-if", "kernel=k:scale=no")
        self.assertEqual(code, 2)
        self.assertRegex(err, r"--what-if: what-if kernel: got 'no', wanted a number")

    def test_a_wrong_change_is_located_in_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            code, _, err = run(folder, SCENARIO.replace("scale=2", "scale=no"))
        self.assertEqual(code, 3)
        self.assertRegex(err, r"scenario.toml:16:\d+: what-if kernel: got 'no', wanted a number")


class Shape(unittest.TestCase):
    """What `run` and `replay` say as JSON has one shape."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.of_run = json.loads(run(folder, SCENARIO, "--json")[1])
            cls.of_replay, _ = replay(folder)

    def test_both_have_the_same_keys_and_replay_some_more(self):
        self.assertEqual(set(self.of_run), BOTH)
        self.assertEqual(set(self.of_replay), BOTH | {"recording", "baseline", "attribution",
                                                   "latencies", "anomalies", "advice"})
        self.assertEqual(list(self.of_run["summary"]), list(self.of_replay["summary"]))

    def test_a_what_if_has_the_same_keys_in_both_but_for_times_without_a_profiler(self):
        keys = {tuple(key for key in what_if if not key.startswith("unprofiled"))
                for result in (self.of_run, self.of_replay) for what_if in result["what_ifs"]}
        self.assertEqual(len(keys), 1, keys)
        self.assertLessEqual({"name", "simulated_us", "speedup"}, set(*keys))

    def test_the_baseline_of_a_replay_is_its_run(self):
        self.assertEqual(self.of_replay["baseline"]["simulated_us"], self.of_replay["simulated_us"])
        self.assertEqual(self.of_replay["attribution"], self.of_replay["summary"]["attribution"])


if __name__ == "__main__":
    unittest.main()
