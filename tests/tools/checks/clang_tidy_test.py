"""The cache of clang-tidy forgets a file when anything that matters to it changes."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools" / "checks"))

import clang_tidy  # noqa: E402  (found through the line above)

SOURCE = "core/base/error.cpp"
HEADER = str(ROOT / "core/base/error.hpp")


def key(flags=("-std=c++20",), headers=(HEADER,), salt=b"14"):
    return clang_tidy.job_key((SOURCE, list(flags), "a.o"), {"a.o": list(headers)}, salt)


class Cache(unittest.TestCase):
    def test_the_same_state_has_the_same_key(self):
        self.assertEqual(key(), key())

    def test_flags_headers_and_checks_count(self):
        other = [key(flags=("-std=c++17",)), key(headers=()), key(salt=b"15"),
                 key(headers=(HEADER, str(ROOT / "core/base/quantity.hpp"))),
                 key(headers=(HEADER, "/usr/include/stdio.h"))]
        self.assertEqual(len({key(), *other}), 6)

    def test_keeps_only_flags_that_decide_what_the_code_means(self):
        words = "c++ -DA=1 -I/x -isystem /y -O2 -Werror -std=c++20 -o a.o".split()
        self.assertEqual(clang_tidy.kept_flags(words),
                         ["-DA=1", "-I/x", "-isystem", "/y", "-std=c++20"])


if __name__ == "__main__":
    unittest.main()
