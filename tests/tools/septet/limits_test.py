"""What goes beyond a limit, or is wrong at one place, from outside: refused with its name, or
counted as one thing without an answer. The argument is `septet`."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SEPTET = sys.argv.pop(1) if len(sys.argv) > 1 else ""
ROOT = pathlib.Path(__file__).resolve().parents[3]
H200 = ROOT / "data" / "measurements" / "h200"

STREAMS = """
[hardware]
gpu = "h200-sxm"
[[stream]]
name = "s"
count = 200
[[kernel]]
name = "long"
grid = 1
block = 32
duration = "{duration}"
[[thread]]
name = "cpu"
steps = [{{ launch = "long", stream = "s", times = {times} }}, {{ synchronize_device = 0 }}]
"""


def run(*arguments):
    """(exit code, standard output, standard error)"""
    done = subprocess.run([SEPTET, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


class Limits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_sums_over_streams_pass_the_longest_time(self):
        scenario = self.file("sum.toml", STREAMS.format(duration="50000 s", times=1))
        code, out, _ = run("run", scenario, "--json")
        self.assertEqual(code, 0)
        # 200 kernels beside one another: 50000 s each, 10^7 s together; times end at 9.2 * 10^6 s.
        kernels = json.loads(out)["summary"]["kernels"]
        self.assertEqual(kernels[0]["time_us"], 1e13)
        self.assertEqual(kernels[0]["share"], 1)

    def test_a_time_out_of_range_names_the_step_and_the_end(self):
        scenario = self.file("long.toml", STREAMS.format(duration="5000000 s", times=2))
        code, out, err = run("run", scenario)
        self.assertEqual((code, out), (3, ""))
        self.assertIn(f"{scenario}:14:21: thread.cpu.steps.0.launch: a time of ", err)
        self.assertIn("times end at 9223372.036854775807 s, after 106 days", err)

    def test_a_time_that_gets_too_long_while_it_is_made_names_the_change(self):
        slow = self.file("slow.toml", STREAMS.format(duration="1000 s", times=1))
        change = " + ".join(["kernel=long:scale=100"] * 3)  # 10^9 s
        code, out, err = run("run", slow, "--what-if", change)
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, "error: --what-if: a time of .* is out of range")

    def test_a_collective_repeated_for_too_long_is_refused(self):
        code, out, err = run("bench", "collective", "--compute", "1000s", "--layers", "10000")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("out of range", err)

    def test_a_wrong_row_is_one_row_without_an_answer(self):
        good = (H200 / "queue.jsonl").read_text(encoding="utf-8").splitlines()[0]
        rows = self.file("rows.jsonl", "\n".join([
            good, good.replace('"group"', '"gruop"'), good.replace('"items"', '"itmes"'),
            good.replace('"case": {', '"case": {"blocks": -1, '), good]))
        code, out, err = run("validate", rows, "--json")
        self.assertEqual(code, 0)
        report = json.loads(out)
        self.assertEqual([row["predicted"] is None for row in report["rows"]],
                         [False, True, True, True, False])
        self.assertEqual(report["rows"][0]["predicted"], report["rows"][4]["predicted"])
        self.assertEqual(report["rows"][1]["limiter"], "key 'group' is missing")
        self.assertIn("(did you mean 'items'?)", report["rows"][2]["limiter"])
        self.assertIn("3 of 5 rows have no answer", err)

    def test_rows_of_unknown_hardware_are_rows_without_an_answer(self):
        good = (H200 / "queue.jsonl").read_text(encoding="utf-8").splitlines()[0]
        row = json.loads(good) | {"hardware": "h2000"}
        rows = self.file("rows.jsonl", json.dumps(row) + "\n")
        code, out, err = run("validate", rows, "--json")
        self.assertEqual(code, 0)
        self.assertIn("h2000", json.loads(out)["rows"][0]["limiter"])
        self.assertIn("not one of 1 row has an answer", err)

    def test_errors_above_the_limits_fail(self):
        rows = H200 / "queue.jsonl"
        self.assertEqual(run("validate", rows, "--fail-above", "1000:1000")[0], 0)
        code, out, err = run("validate", rows, "--fail-above", "0:1000")
        self.assertEqual(code, 4)
        self.assertIn("group", out)
        self.assertIn("--fail-above: group ", err)
        for wrong in ("5", "a:b", "5:", "-1:5"):
            self.assertEqual(run("validate", rows, f"--fail-above={wrong}")[0], 2, wrong)

    def test_a_report_without_the_bytes_of_dram_is_refused(self):
        report = (H200 / "kernels" / "gpt2-1-128.csv").read_text(encoding="utf-8")
        lines = report.replace("dram__bytes_read.sum", "dram__bytes_read.other")
        code, out, err = run("explain", self.file("report.csv", lines))
        self.assertEqual((code, out), (3, ""))
        self.assertIn("metric dram__bytes_read.sum is missing", err)

    def test_counters_of_a_part_that_are_missing_are_named(self):
        report = (H200 / "kernels" / "gpt2-1-128.csv").read_text(encoding="utf-8")
        lines = report.replace("sm__inst_executed_pipe_xu.sum", "sm__inst_executed_pipe_xu.other")
        code, _, err = run("explain", self.file("report.csv", lines))
        self.assertEqual(code, 0)
        self.assertIn("the report has no sm__inst_executed_pipe_xu.sum: ", err)

    def test_a_file_that_ends_early_is_said_quietly_too_and_in_the_summary(self):
        events = [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10 * n,
                   "dur": 5, "args": {"stream": 7, "device": 0, "correlation": n}}
                  for n in range(1, 5)]
        whole = json.dumps({"traceEvents": events})
        step = self.file("step.json", whole[:-40])
        out_dir = pathlib.Path(self.folder.name) / "out"
        code, out, err = run("replay", step, "--quiet", "--output-dir", out_dir)
        self.assertEqual(code, 0, err)
        text = f"warning: {step}: the file is truncated at byte "
        self.assertIn("septet: " + text, err)
        self.assertNotIn("note:", err)
        self.assertTrue(out.startswith(text))
        self.assertTrue((out_dir / "summary.txt").read_text(encoding="utf-8").startswith(text))

    def test_a_forgotten_value_is_no_folder(self):
        recording = H200 / "traces" / "mlp-train-batch64-graph.json.gz"
        for arguments in (["--output-dir", "--json"], ["--output-dir", ""], ["--what-if", ""],
                          ["--json", "--json"], ["--top", "1", "--top", "2"]):
            code, _, err = run("replay", recording, *arguments)
            self.assertEqual(code, 2, arguments)
            self.assertIn("septet: error: ", err)
        self.assertFalse(pathlib.Path("--json").exists())


if __name__ == "__main__":
    unittest.main()
