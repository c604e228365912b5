"""Rows are chosen as the list says; folds divide them without leaving any out."""

import json
import pathlib
import tempfile
import unittest

import synthetic

import estimate  # noqa: E402  (found through synthetic)
import rows  # noqa: E402

H200 = synthetic.ROOT / "data" / "measurements" / "h200"


def row(case, group="copy", metric="wall", value=1.0, second_run=None):
    return rows.Row("x.jsonl", 1, group, case, metric, value, second_run)


class Selections(unittest.TestCase):
    def holds(self, **where):
        case = {"what": "memcpy", "bytes": 256}
        return rows.matches(row(case), {"group": "copy", "where": where})

    def test_conditions(self):
        self.assertTrue(self.holds(bytes=256))
        self.assertFalse(self.holds(bytes=255))
        self.assertTrue(self.holds(bytes=[16, 256]))
        self.assertTrue(self.holds(bytes={"min": 256, "max": 256}))
        self.assertFalse(self.holds(bytes={"min": 257}))
        self.assertFalse(self.holds(bytes={"max": 255}))
        self.assertFalse(self.holds(absent={"min": 0}))

    def test_group_and_metric(self):
        self.assertFalse(rows.matches(row({}), {"group": "launch"}))
        self.assertTrue(rows.matches(row({}), {"group": "copy", "metric": ["wall", "other"]}))
        self.assertFalse(rows.matches(row({}), {"group": "copy", "metric": "other"}))


class Folds(unittest.TestCase):
    def test_all_metrics_of_a_case_share_a_fold(self):
        case = {"what": "graph_chain", "nodes": 5}
        self.assertEqual(rows.fold_of(row(case, "graph", "wall_single"), 5),
                         rows.fold_of(row(case, "graph", "cpu_launch"), 5))

    def test_all_copies_of_a_size_share_a_fold(self):
        self.assertEqual(rows.fold_of(row({"what": "memcpy", "bytes": 4}, metric="d2d_wall"), 5),
                         rows.fold_of(row({"what": "memcpy", "bytes": 4}, metric="memset_wall"), 5))

    def test_rows_of_the_h200_are_in_every_fold(self):
        read = rows.read(H200 / "sharing.jsonl")
        numbers = [rows.fold_of(entry, 5) for entry in read]
        self.assertEqual(set(numbers), {0, 1, 2, 3, 4})
        # A fair share is a fifth of the rows.
        self.assertGreater(min(numbers.count(n) for n in range(5)), len(read) / 10)


class Questions(unittest.TestCase):
    def test_hold_no_answer(self):
        asked = json.loads(row({"bytes": 4}, value=7.25, second_run=7.5).question())
        self.assertEqual(asked, {"group": "copy", "case": {"bytes": 4}, "metric": "wall"})

    def test_reads_what_was_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "copy.jsonl"
            path.write_text('{"group": "copy", "case": {"bytes": 4}, "metric": "wall",'
                            ' "value": 7.0, "unit": "us", "n": 9, "second_run": 6.5}\n')
            self.assertEqual(rows.read(path),
                             [rows.Row("copy.jsonl", 1, "copy", {"bytes": 4}, "wall", 7.0, 6.5)])


REPORT = """==PROF== Connected
"ID","Kernel Name","gpu__time_duration.sum","gpu__time_duration.max","launch__grid_size"
"","","usecond","usecond",""
"0","f(int, int)","1.5","1.5","8"
"1","g","2,000.0","2,000.0","9"
"""


class Reports(unittest.TestCase):
    """Kernels of an Nsight Compute report are rows, too."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "kernels").mkdir()
        path = self.folder / "kernels" / "model.csv"
        path.write_text(REPORT)
        self.rows = rows.read(path)

    def test_have_their_duration_in_nanoseconds(self):
        self.assertEqual([(r.group, r.line, r.what, r.case["kernel"], r.value) for r in self.rows],
                         [("kernels", 4, "model", "f(int, int)", 1500.0),
                          ("kernels", 5, "model", "g", 2e6)])

    def test_are_asked_without_their_duration(self):
        with tempfile.TemporaryDirectory() as asked:
            paths, ordered = rows.write_questions(
                [self.rows[1], row({"bytes": 4}, value=7.25)], pathlib.Path(asked))
            self.assertEqual([path.name for path in paths], ["rows.jsonl", "model.csv"])
            self.assertEqual([r.id for r in ordered], ["x.jsonl:1", "model.csv:5"])
            self.assertEqual(paths[1].read_text().split(),
                             ["ID,Kernel", "Name,launch__grid_size", ",,", "1,g,9"])
            self.assertNotIn("7.25", paths[0].read_text())

    def test_are_found_by_their_folder(self):
        self.assertEqual([path.name for path in rows.files_of(self.folder, "kernels")],
                         ["model.csv"])

    def test_kernels_of_a_name_share_a_fold(self):
        first, other = rows.fold_of(self.rows[0], 1000), rows.fold_of(self.rows[1], 1000)
        self.assertNotEqual(first, other)
        again = rows.Row("b.csv", 9, "kernels", {"id": "7", "kernel": "g"}, "t", 1.0, None)
        self.assertEqual(rows.fold_of(again, 1000), other)


class Figures(unittest.TestCase):
    def test_the_objective_leaves_the_largest_tenth_out(self):
        # Ten rows: nine predicted exactly, one a thousandfold.
        ten = [row({}) for _ in range(10)]
        self.assertEqual(estimate.objective(ten, [1.0] * 9 + [1000.0]), 0.0)
        self.assertGreater(estimate.objective(ten, [1.0] * 8 + [1000.0] * 2), 0.1)

    def test_slopes_compare_rows_that_differ_in_nothing_else(self):
        series = [row({"n": n, "base": base}, value=base + 2.0 * n)
                  for base in (0, 1000) for n in (1, 5, 9)]
        self.assertEqual(estimate.theil_sen(series, "n"), 2.0)
        self.assertIsNone(estimate.theil_sen(series[:1], "n"))


if __name__ == "__main__":
    unittest.main()
