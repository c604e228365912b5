"""The counts of tools/check come out of what CTest really wrote."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools" / "checks"))

import results  # noqa: E402  (found through the line above)

# One test of each kind, as CTest reads them.
TESTS = """
add_test(passes "true")
add_test(fails "false")
add_test(crashes "sh" "-c" "kill -SEGV $$")
add_test(hangs "sleep" "30")
set_tests_properties(hangs PROPERTIES TIMEOUT 1)
add_test(skips "sh" "-c" "exit 77")
set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(skips_with_words "echo" "SKIPPED here")
set_tests_properties(skips_with_words PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
add_test(missing "no-such-program-anywhere")
add_test(disabled "true")
set_tests_properties(disabled PROPERTIES DISABLED TRUE)
"""


class Results(unittest.TestCase):
    def test_counts_what_ctest_reports(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "CTestTestfile.cmake").write_text(TESTS)
            report = pathlib.Path(folder) / "report.xml"
            subprocess.run(["ctest", "--test-dir", folder, "--output-junit", str(report)],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            counts = results.junit_counts(report)
        # passes; fails, crashes, hangs and missing; skips, skips_with_words and disabled
        self.assertEqual((counts.passed, counts.failed, counts.skipped), (1, 4, 3))

    def test_the_last_line(self):
        tally = results.Tally(passed=312)
        self.assertEqual(tally.line(), "312 passed, 0 failed")
        tally.add_check(True)
        tally.add_check(False)
        tally.skipped = 2
        self.assertEqual(tally.line(), "313 passed, 1 failed, 2 skipped")

    def test_keeps_the_end_of_a_long_log(self):
        self.assertEqual(results.last_lines("a\nb\nc\n", 2), "... 1 lines before\nb\nc\n")
        self.assertEqual(results.last_lines("a\nb\n", 2), "a\nb\n")


if __name__ == "__main__":
    unittest.main()
