"""The list of parameters fits the profiles and the measured rows; mistakes in it are refused."""

import pathlib
import tempfile
import unittest

import synthetic

import plan as plans  # noqa: E402  (found through synthetic)
import profiles  # noqa: E402
import rows  # noqa: E402

DATA = synthetic.ROOT / "data"
PLAN = plans.read(DATA / "fit" / "parameters.toml")

MINIMAL = """
groups = ["copy"]
profiles = {{ gpu = "g" }}
[[block]]
name = "b"
[[block.parameter]]
key = "gpu.x"
mechanism = "m"
{0}
[kept]
{1}
"""
GOOD = 'start = "1 us"\nbounds = ["0 us", "2 us"]\nstep = "0.5 us"\nrows = [{ group = "copy" }]'


def read(parameter=GOOD, kept=""):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "parameters.toml"
        path.write_text(MINIMAL.format(parameter, kept))
        return plans.read(path)


class Shipped(unittest.TestCase):
    def test_every_number_of_the_profiles_is_fitted_or_kept_for_a_reason(self):
        numbers = profiles.read(DATA, PLAN)
        fitted = {key for p in PLAN.parameters() for key in (p.key, *p.ties)}
        self.assertEqual(fitted - set(numbers), set())
        self.assertEqual([key for key in numbers if (key in fitted) == PLAN.is_kept(key)], [])
        self.assertTrue(all(reason.strip() for reason in PLAN.kept.values()))

    def test_nothing_is_kept_that_is_no_number_of_a_profile(self):
        numbers = profiles.read(DATA, PLAN)
        self.assertEqual([kept for kept in PLAN.kept if not any(
            number == kept or number.startswith(kept + ".") for number in numbers)], [])

    def test_the_profiles_lie_within_the_bounds(self):
        for parameter in PLAN.parameters():
            count = profiles.counts(DATA, PLAN)[parameter.key]
            self.assertTrue(parameter.low <= count <= parameter.high, parameter.key)

    def test_the_steps_can_express_the_profiles(self):
        written = profiles.read(DATA, PLAN)
        for parameter in PLAN.parameters():
            count = parameter.count(written[parameter.key])
            self.assertEqual(parameter.count(parameter.text(count)), count)
            self.assertEqual(plans.whole_steps(written[parameter.key], parameter.unit,
                                               parameter.step), count, parameter.key)

    def test_every_selection_finds_rows(self):
        measured = [row for group in PLAN.groups
                    for file in rows.files_of(DATA / "measurements" / "h200", group)
                    for row in rows.read(file)]
        for parameter in PLAN.parameters():
            for selection in parameter.rows:
                self.assertTrue(rows.choose(measured, [selection]), f"{parameter.key}: {selection}")


class Mistakes(unittest.TestCase):
    def refused(self, expected, parameter=GOOD, kept=""):
        with self.assertRaisesRegex(plans.PlanError, expected):
            read(parameter, kept)

    def test_the_good_sample_is_read(self):
        parameter = read().parameters()[0]
        self.assertEqual((parameter.start, parameter.low, parameter.high), (2, 0, 4))
        self.assertEqual(parameter.settings(3), {"gpu.x": "1.5 us"})

    def test_unknown_keys(self):
        self.refused("gpu.x: unknown key wieght", GOOD + "\nwieght = 2")
        self.refused("gpu.x: unknown key wehre", GOOD.replace('"copy" }', '"copy", wehre = {} }'))

    def test_values_between_the_steps(self):
        self.refused("not a whole number of steps", GOOD.replace('"1 us"', '"1.2 us"'))

    def test_units(self):
        self.refused("is no number with one of the units", GOOD.replace('"1 us"', '"1 parsec"'))
        self.refused("is not a time", GOOD.replace('"1 us"', '"1 GB/s"'))

    def test_a_start_outside(self):
        self.refused("start has to lie within", GOOD.replace('"1 us"', '"2.5 us"'))

    def test_a_key_that_is_there_twice(self):
        self.refused("gpu.x: is given more than once", kept='gpu.x = "no row"')
        self.refused("gpu.x: is given more than once", kept='gpu = "all of them"')

    def test_a_table_may_be_kept_as_a_whole(self):
        plan = read(kept='gpu.y = "elsewhere"')
        self.assertTrue(plan.is_kept("gpu.y") and plan.is_kept("gpu.y.z"))
        self.assertFalse(plan.is_kept("gpu.yz"))


if __name__ == "__main__":
    unittest.main()
