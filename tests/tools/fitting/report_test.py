"""Generated parts of documents are replaced in place, and those in data agree with the data."""

import csv
import json
import unittest

import synthetic

import deviations  # noqa: E402  (found through synthetic)
import plan as plans  # noqa: E402
import report  # noqa: E402
import residuals  # noqa: E402
import rows  # noqa: E402

DATA = synthetic.ROOT / "data"
H200 = DATA / "measurements" / "h200"
PLAN = plans.read(DATA / "fit" / "parameters.toml")


def row(value=10.0, second_run=11.0, n=1):
    return rows.Row("calls.jsonl", 1, "calls", {"n": n}, "wall", value, second_run)


class Parts(unittest.TestCase):
    def test_only_the_part_changes(self):
        before = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n"
        after = report.with_part(before, "x", "new")
        self.assertEqual(after, "a\n<!-- x -->\nnew\n<!-- end of x -->\nb\n")
        self.assertEqual(report.with_part(after, "x", "new"), after)

    def test_a_missing_mark_is_an_error(self):
        with self.assertRaises(ValueError):
            report.with_part("a\n<!-- x -->\nb\n", "x", "new")


class Merged(unittest.TestCase):
    """A run over part of the plan takes the place of the earlier result of that part."""

    BEFORE = {"folds": 5,
              "parameters": [{"key": "call", "fitted": 1}, {"key": "each", "fitted": 2}],
              "groups": [{"group": "calls", "n": 1}]}

    def test_in_the_order_of_the_plan(self):
        after = report.merged(self.BEFORE, {"folds": 3, "groups": [],
                                            "parameters": [{"key": "each", "fitted": 9}]},
                              synthetic.BOTH)
        self.assertEqual(after["parameters"],
                         [{"key": "call", "fitted": 1}, {"key": "each", "fitted": 9}])
        self.assertEqual(after["groups"], self.BEFORE["groups"])

    def test_what_the_plan_no_longer_has_is_gone(self):
        after = report.merged(self.BEFORE, {"folds": 3, "groups": [], "parameters": []},
                              synthetic.plan_of([synthetic.EACH]))
        self.assertEqual([entry["key"] for entry in after["parameters"]], ["each"])

    def test_parameters_that_no_run_has_had_are_named(self):
        self.assertIn("Not run so far: call, each.",
                      report.parameters_table({"parameters": []}, synthetic.BOTH))


class Families(unittest.TestCase):
    FAMILY = {"name": "calls", "median": 5, "p90": 20, "rows": [{"group": "calls"}]}

    def table(self, *errors):
        answers = [deviations.Answer(row(), 10.0 * (1 + error / 100)) for error in errors]
        return deviations.reached([self.FAMILY], answers).splitlines()[-1]

    def test_met_where_both_figures_are_within_the_target(self):
        # Of 4, 4, 4 the median is 4 and so is the 90th percentile; the second run is 10 % off.
        self.assertEqual(self.table(4, -4, 4),
                         "| calls | 3 | 5 / 20 | 4 / 4 | yes | 10 / 10 | 0 |")

    def test_not_met_where_one_is_not(self):
        self.assertIn("| no |", self.table(6, 6, 6))
        self.assertIn("| no |", self.table(0, 0, 50))

    def test_rows_beyond_the_target_are_shown_worst_first(self):
        answers = [deviations.Answer(row(n=n), 10.0 * (1 + error / 100))
                   for n, error in ((1, 30), (2, 10), (3, -40))]
        lines = deviations.worst([self.FAMILY], answers).splitlines()[2:]
        self.assertEqual([line.split("|")[2].strip() for line in lines], ["n=3", "n=1"])


class Recorded(unittest.TestCase):
    """What is in data/fit was written by the tool and not by hand."""

    def setUp(self):
        self.rows = [r for group in PLAN.groups for file in rows.files_of(H200, group)
                     for r in rows.read(file)]
        with open(DATA / "fit" / "residuals.csv", newline="", encoding="utf-8") as file:
            self.residuals = list(csv.DictReader(file))

    def test_residuals_have_every_row_once(self):
        self.assertEqual([(r["group"], int(r["line"]), r["metric"]) for r in self.residuals],
                         [(r.group, r.line, r.metric) for r in self.rows])

    def test_errors_follow_from_the_figures(self):
        for recorded, measured in zip(self.residuals, self.rows, strict=True):
            self.assertEqual(float(recorded["measured"]), measured.value)
            if recorded["error_pct"]:
                # Six digits of the prediction are 0.0005 % at most, two of the error 0.005.
                again = residuals.error(measured, float(recorded["predicted"]))
                self.assertAlmostEqual(float(recorded["error_pct"]), again, delta=0.006)

    def test_tables_are_those_of_the_result(self):
        result = json.loads((DATA / "fit" / "fit.json").read_text(encoding="utf-8"))
        for name, part, table in (
                ("PARAMETERS.md", "errors", report.markdown(report.group_lines(result))),
                ("PARAMETERS.md", "parameters", report.parameters_table(result, PLAN))):
            document = (DATA / "fit" / name).read_text(encoding="utf-8")
            self.assertEqual(report.with_part(document, part, table), document, name)
        done = [entry["key"] for entry in result["parameters"]]
        self.assertEqual(done, [p.key for p in PLAN.parameters() if p.key in done])

    def test_deviations_are_those_of_the_residuals(self):
        text = (DATA / "DEVIATIONS.md").read_text(encoding="utf-8")
        for family in deviations.families(DATA):
            self.assertIn(f"| {family['name']} |", text)
            for selection in family["rows"]:
                self.assertTrue(rows.choose(self.rows, [selection]), selection)


if __name__ == "__main__":
    unittest.main()
