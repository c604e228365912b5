"""The bounded search finds known minima, stays within bounds and knows how flat they are."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools" / "fitting"))

import search  # noqa: E402  (found through the line above)


class Minimise(unittest.TestCase):
    def test_finds_every_whole_number(self):
        for wanted in range(0, 301, 7):
            found = search.minimise(lambda at, w=wanted: abs(at[0] - w), (50,), [(0, 300)])
            self.assertEqual(found, (wanted,))

    def test_takes_the_bound_nearest_to_a_minimum_outside(self):
        self.assertEqual(search.minimise(lambda at: abs(at[0] - 500), (5,), [(0, 300)]), (300,))
        self.assertEqual(search.minimise(lambda at: abs(at[0] + 5), (5,), [(3, 300)]), (3,))

    def test_finds_two_at_once(self):
        # A valley along at[0] - at[1] = 33: single steps lead out of it.
        def cost(at):
            return abs(at[0] - 37) + abs(at[1] - 4) + 3 * abs(at[0] - at[1] - 33)
        self.assertEqual(search.minimise(cost, (0, 0), [(0, 100), (0, 100)]), (37, 4))

    def test_leaves_a_narrow_local_minimum_for_a_deeper_one(self):
        # At the start the cost is 10. The scan, every 12, meets 84, where it is 4.
        def cost(at):
            return min(abs(at[0] - 10) + 10, abs(at[0] - 80))
        self.assertEqual(search.minimise(cost, (10,), [(0, 100)]), (80,))

    def test_stays_where_nothing_is_better(self):
        self.assertEqual(search.minimise(lambda at: 1.0, (42,), [(0, 100)]), (42,))

    def test_asks_for_few_points(self):
        asked = set()

        def cost(at):
            asked.add(at)
            return abs(at[0] - 171)
        search.minimise(cost, (0,), [(0, 1000)])
        self.assertLess(len(asked), 40)


class FlatRange(unittest.TestCase):
    def test_is_exact_to_the_step(self):
        # |at - 50| is at most 7 from 43 to 57
        found = search.flat_range(lambda at: abs(at[0] - 50), (50,), 0, [(0, 100)], 7)
        self.assertEqual(found, (43, 57))

    def test_ends_at_the_bounds(self):
        self.assertEqual(search.flat_range(lambda at: 1, (5,), 0, [(0, 9)], 1), (0, 9))

    def test_may_be_one_value(self):
        self.assertEqual(search.flat_range(lambda at: abs(at[0] - 5), (5,), 0, [(0, 9)], 0), (5, 5))

    def test_looks_along_one_axis(self):
        found = search.flat_range(lambda at: abs(at[0] - 5) + abs(at[1] - 20), (5, 20), 1,
                                  [(0, 9), (0, 99)], 3)
        self.assertEqual(found, (17, 23))


if __name__ == "__main__":
    unittest.main()
