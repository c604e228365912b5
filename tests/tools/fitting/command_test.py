"""`tools/fit` from end to end, with a simulator that knows wall = call + n * each."""

import contextlib
import io
import json
import pathlib
import re
import shutil
import tempfile
import unittest
from unittest import mock

import synthetic

import fit  # noqa: E402  (found through synthetic)
import simulate  # noqa: E402

HALF_MICROSECOND = '#!/bin/sh\necho \'{"rows": [{"predicted": 0.5}]}\'\n'
FAILING = "#!/bin/sh\necho 'septet: error: no such thing' >&2\nexit 3\n"


def predict_files(septet, paths, settings):
    """In place of `septet validate`: profiles, then settings, into the wall of each row."""
    profile = pathlib.Path(septet.environment["SEPTET_DATA"], "hardware", "h.toml").read_text()
    values = dict(re.findall(r'^(call|each)\.value = "(.+)"', profile, re.MULTILINE))
    values |= {key.removeprefix("host."): text for key, text in settings.items()}
    numbers = {key: float(text.removesuffix(" us")) for key, text in values.items()}
    cases = [json.loads(line)["case"] for path in paths for line in path.read_text().splitlines()]
    return [numbers["call"] + case["n"] * numbers["each"] for case in cases]


FILES = {
    "hardware/h.toml": '''kind = "host"
call.value = "3.21 us"
call.source = "by hand"
each.value = "0.9 us"
each.source = "by hand"
''',
    "fit/parameters.toml": '''groups = ["calls"]
profiles = { host = "h" }
kept = {}
[[block]]
name = "both"
[[block.parameter]]
key = "host.each"
mechanism = "each thing"
start = "1 us"
bounds = ["0 us", "5 us"]
step = "0.01 us"
rows = [{ group = "calls", where = { n = { min = 10 } } }]
[[block.parameter]]
key = "host.call"
mechanism = "the call"
start = "1 us"
bounds = ["0 us", "9 us"]
step = "0.01 us"
rows = [{ group = "calls", where = { n = { max = 5 } } }]
''',
    "fit/targets.toml": '[[family]]\nname = "calls"\nrows = [{ group = "calls" }]\n',
    "fit/PARAMETERS.md": "<!-- parameters -->\n<!-- end of parameters -->\n"
                         "<!-- errors -->\n<!-- end of errors -->\n",
    "DEVIATIONS.md": "<!-- reached -->\n<!-- end of reached -->\n"
                     "<!-- worst rows -->\n<!-- end of worst rows -->\n",
}


class Command(unittest.TestCase):
    """The profile has 0.9 us for what the rows were made with 0.47 us."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        lines = [{"group": row.group, "case": row.case, "metric": row.metric, "value": row.value,
                  "second_run": row.second_run, "unit": "us", "n": 1}
                 for row in synthetic.measured(3.21, 0.47, repeat=1.01)]
        measurements = "".join(json.dumps(line) + "\n" for line in lines)
        for name, text in {**FILES, "measurements/h200/calls.jsonl": measurements}.items():
            path = self.folder / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run_fit(self, *arguments, septet="", predict=predict_files):
        (self.folder / "septet").write_text(septet)
        (self.folder / "septet").chmod(0o755)
        with mock.patch("simulate.Septet.predict_files", predict):
            return self.run_main(*arguments)

    def run_main(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = fit.main([*arguments, "--data", str(self.folder / "data"),
                             "--septet", str(self.folder / "septet")])
        return code, out.getvalue(), err.getvalue()

    def file(self, name):
        return (self.folder / "data" / name).read_text()

    def test_proposes_and_changes_nothing(self):
        code, out, _ = self.run_fit("--json")
        result = json.loads(out)
        self.assertEqual(code, 0)
        self.assertEqual([(p["profile"], p["fitted"], p["proposed"]) for p in result["parameters"]],
                         [("0.9 us", "0.47 us", "0.47 us"), ("3.21 us", "3.21 us", "3.21 us")])
        # The rows follow the model exactly, so those that a fold didn't see are met as well.
        self.assertEqual(result["groups"][0]["unseen"], {"n": 10, "median": 0.0, "p90": 0.0})
        self.assertEqual(result["groups"][0]["second_run"], {"n": 10, "median": 1.0, "p90": 1.0})
        for name, text in FILES.items():
            self.assertEqual(self.file(name), text, name)

    def test_says_the_same_every_time(self):
        self.assertEqual(self.run_fit("--json")[1], self.run_fit("--json")[1])

    def test_write_changes_only_what_is_proposed(self):
        self.assertEqual(self.run_fit("--write")[0], 0)
        self.assertEqual(self.file("hardware/h.toml").splitlines()[:4], [
            'kind = "host"', 'call.value = "3.21 us"', 'call.source = "by hand"',
            'each.value = "0.47 us"'])
        self.assertIn("our measurements, group calls: each thing", self.file("hardware/h.toml"))
        self.assertIn("| calls | 10 | - | 0 / 0 | - | 1 / 1 | 0 |", self.file("DEVIATIONS.md"))
        self.assertIn("| host.each | 6 |", self.file("fit/PARAMETERS.md"))

    def test_only_leaves_the_others_as_they_are(self):
        _, out, _ = self.run_fit("--only", "host.each", "--json")
        self.assertEqual([p["key"] for p in json.loads(out)["parameters"]],
                         ["host.each", "host.call"])  # they are one block
        tables = [json.loads(self.run_fit("--only", "host", *folds, "--json")[1])
                  for folds in ([], ["--folds", "0"])]
        self.assertEqual([p["fitted"] for p in tables[0]["parameters"]], ["0.47 us", "3.21 us"])
        self.assertEqual(["groups" in table for table in tables], [True, False])
        code, _, err = self.run_fit("--only", "host.eahc")
        self.assertEqual(code, 1)
        self.assertIn("host.eahc is not in", err)

    def test_residuals_are_those_of_the_profiles(self):
        self.run_fit("--residuals")
        # One thing: 3.21 + 0.9 where 3.21 + 0.47 were measured, 11.68 % too much.
        line = self.file("fit/residuals.csv").splitlines()[1]
        self.assertTrue(line.startswith("calls,1,,n=1,wall,3.6"), line)
        self.assertTrue(line.endswith(",4.11,+11.68"), line)

    def test_asks_the_program_and_says_what_it_said(self):
        really = simulate.Septet.predict_files
        code, _, err = self.run_fit("--residuals", septet=FAILING, predict=really)
        self.assertEqual(code, 1)
        self.assertIn("no such thing", err)
        # One row, n = 1, for which 3.68 us were measured: 0.5 / 3.68 - 1 is -86.41 %.
        calls = self.folder / "data" / "measurements" / "h200" / "calls.jsonl"
        calls.write_text(calls.read_text().splitlines()[0])
        code, _, _ = self.run_fit("--residuals", septet=HALF_MICROSECOND, predict=really)
        self.assertEqual(code, 0)
        self.assertTrue(self.file("fit/residuals.csv").endswith(",0.5,-86.41\n"))


if __name__ == "__main__":
    unittest.main()
