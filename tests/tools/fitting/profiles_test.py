"""A value is put into a profile in its place, and nothing else changes."""

import unittest

import synthetic

import profiles  # noqa: E402  (found through synthetic)

assert synthetic.ROOT

TEXT = '''kind = "gpu"
gap.value = "9 us"
gap.source = "top"

[front]
gap.value = "1 us"  # old
gap.source = "by hand"

other.value = 7
other.source = "by hand"

[front.inner]
gap.value = "3 us"
gap.source = "inner"
'''


class Replace(unittest.TestCase):
    def test_in_its_table_only(self):
        self.assertEqual(profiles.replaced(TEXT, "gpu.front.gap", "2 us", "fitted"),
                         TEXT.replace('"1 us"  # old', '"2 us"').replace(
                             'gap.source = "by hand"', 'gap.source = "fitted"'))

    def test_at_the_top_and_in_a_table_of_a_table(self):
        self.assertIn('gap.value = "8 us"', profiles.replaced(TEXT, "gpu.gap", "8 us", "f"))
        self.assertEqual(profiles.replaced(TEXT, "gpu.front.inner.gap", "4 us", "inner"),
                         TEXT.replace('"3 us"', '"4 us"'))

    def test_whole_numbers_stay_without_quotes(self):
        self.assertIn("other.value = 8\n", profiles.replaced(TEXT, "gpu.front.other", "8", "f"))

    def test_refuses_what_is_not_there(self):
        for key in ("gpu.front.gaps", "gpu.nowhere.gap"):
            with self.assertRaises(profiles.ProfileError):
                profiles.replaced(TEXT, key, "2 us", "fitted")


if __name__ == "__main__":
    unittest.main()
