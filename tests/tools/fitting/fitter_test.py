"""Fits recover the numbers that synthetic rows were made with, and change nothing in noise."""

import dataclasses
import unittest

import synthetic
from synthetic import BOTH, CALL, EACH, Simulator, measured, parameter, plan_of

import fitter  # noqa: E402  (found through synthetic)


def fit(plan, rows, run="value"):
    return fitter.Fitter(plan, rows, Simulator(), run).fit(fitter.starts(plan))


class Fit(unittest.TestCase):
    def test_recovers_two_numbers_that_depend_on_each_other(self):
        # 3.21 us and 0.47 us in steps of 0.01 us
        self.assertEqual(fit(BOTH, measured(3.21, 0.47)), {"call": 321, "each": 47})

    def test_recovers_them_block_by_block(self):
        self.assertEqual(fit(plan_of([EACH], [CALL]), measured(3.21, 0.47)),
                         {"call": 321, "each": 47})

    def test_recovers_a_slope_whatever_else_is_wrong(self):
        each = dataclasses.replace(EACH, slope={"x": "n"})
        self.assertEqual(fit(plan_of([each]), measured(77.0, 0.47)), {"each": 47})

    def test_takes_other_numbers_off_a_slope(self):
        each = dataclasses.replace(EACH, slope={"x": "n", "less": ["call"]})
        work = fitter.Fitter(plan_of([each], [CALL]), measured(3.21, 0.47), Simulator())
        self.assertEqual(work.direct(each, {"call": 12}), 47 - 12)

    def test_a_rate_is_one_over_the_slope(self):
        # 0.0005 us a byte are 2,000 bytes a microsecond: 2 GB/s
        rate = parameter("rate", {}, {"x": "n"}, "0.1 GB/s")
        self.assertEqual(fit(plan_of([rate]), measured(1.0, 0.0005)), {"rate": 20})

    def test_a_few_wild_rows_do_not_pull(self):
        # One of 18 rows is threefold; a tenth of 18 may be left out.
        rows = measured(3.21, 0.47, sizes=(*range(1, 6), *range(10, 140, 10)),
                        noise=lambda n: 3.0 if n == 130 else 1.0)
        self.assertEqual(fit(BOTH, rows), {"call": 321, "each": 47})

    def test_meets_the_run_that_is_asked_for(self):
        rows = measured(3.0, 0.5, repeat=1.1)
        self.assertEqual(fit(BOTH, rows, "second_run"), {"call": 330, "each": 55})

    def test_a_number_that_no_row_identifies_stays(self):
        rows = [row for row in measured(3.21, 0.47) if row.case["n"] >= 10]
        self.assertEqual(fit(plan_of([EACH], [CALL]), rows)["call"], CALL.start)

    def test_is_the_same_every_time(self):
        rows = measured(3.21, 0.47, noise=lambda n: 1 + 0.05 * (-1) ** n)
        self.assertEqual(fit(BOTH, rows), fit(BOTH, rows))


class Improve(unittest.TestCase):
    def improved(self, state, rows):
        return fitter.Fitter(BOTH, rows, Simulator()).improve(state, BOTH.parameters())

    def test_changes_what_is_clearly_wrong(self):
        self.assertEqual(self.improved({"call": 321, "each": 90}, measured(3.21, 0.47, 1.01)),
                         {"call": 321, "each": 47})

    def test_keeps_what_is_wrong_by_less_than_two_runs_differ(self):
        # 4 % off, where the two runs are 10 % apart
        state = {"call": 321, "each": 49}
        self.assertEqual(self.improved(state, measured(3.21, 0.47, 1.10)), state)

    def test_keeps_what_the_second_run_asks_for(self):
        # 1 us and n times 0.47: the first run asks for 0.47, the second, 12 % above, for more.
        work = fitter.Fitter(plan_of([EACH]), measured(1.0, 0.47, 1.12), Simulator())
        second = dataclasses.replace(work, run="second_run")
        self.assertTrue(work.no_worse({"each": 47}, {"each": 52}, EACH))
        self.assertFalse(second.no_worse({"each": 47}, {"each": 52}, EACH))

    def test_proposes_no_value_at_a_bound(self):
        # The rows ask for 11 us, 10 us are allowed.
        work = fitter.Fitter(plan_of([EACH]), measured(1.0, 11.0, 1.001), Simulator())
        self.assertEqual(work.improve({"each": 500}, [EACH]), {"each": 500})

    def test_keeps_what_is_as_good(self):
        state = {"call": 321, "each": 47}
        self.assertEqual(self.improved(state, measured(3.21, 0.47)), state)


class Flatness(unittest.TestCase):
    def test_a_well_determined_number_has_a_narrow_range(self):
        work = fitter.Fitter(BOTH, measured(3.21, 0.47), Simulator())
        self.assertEqual(work.flat_range(EACH, {"call": 321, "each": 47}), (47, 47))

    def test_a_number_without_effect_has_all_of_its_bounds(self):
        idle = parameter("idle", {})
        work = fitter.Fitter(plan_of([idle]), measured(1.0, 1.0), Simulator())
        self.assertEqual(work.flat_range(idle, {"idle": 5}), (0, 1000))


if __name__ == "__main__":
    unittest.main()
