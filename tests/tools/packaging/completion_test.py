"""Completions, asked for as bash does. The argument is the build folder."""

import unittest

from installation import Installation

ASK = """
source "$0"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_septet
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.installed = Installation("command")
        for name in ("one.toml", "two.csv", "three.h5"):
            (cls.installed.folder / name).touch()
        (cls.installed.folder / "inside").mkdir()

    @classmethod
    def tearDownClass(cls):
        cls.installed.remove()

    def offered(self, *words):
        """For the last word, as typed so far."""
        script = self.installed.prefix / "share" / "bash-completion" / "completions" / "septet"
        return self.installed.call("bash", "-uc", ASK, script, "septet", *words).split()

    def test_commands_and_those_of_a_group(self):
        self.assertEqual(self.offered("va"), ["validate"])
        self.assertEqual(self.offered("bench", "ph"), ["phold"])
        self.assertEqual(self.offered("bench", "phold", "--lo"), ["--lookahead"])
        self.assertEqual(self.offered("--vers"), ["--version"])

    def test_every_option_of_a_command(self):
        self.assertEqual(set(self.offered("export", "--")), self.options_of("export"))

    def options_of(self, command):
        out = self.installed.call("septet", command, "--help").split("Options:")[1]
        words = out.split("Example:")[0].split()
        return {word for word in words if word.startswith("--")}

    def test_the_choices_of_an_option(self):
        self.assertEqual(self.offered("export", "--format", ""), ["chrome", "csv", "perfetto"])
        self.assertEqual(self.offered("export", "--format", "=", "c"), ["chrome", "csv"])
        self.assertEqual(self.offered("occupancy", "--carveout", ""), ["auto"])

    def test_names_of_profiles_and_files_of_the_kind_that_is_wanted(self):
        self.assertEqual(self.offered("hardware", "h200"), ["h200-sxm"])
        self.assertEqual(self.offered("replay", "--gpu", "h200"), ["h200-sxm"])
        self.assertEqual(self.offered("run", ""), ["inside", "one.toml"])
        self.assertEqual(self.offered("export", "t"), ["three.h5"])
        self.assertEqual(self.offered("run", "--output-dir", ""), ["inside"])

    def test_nothing_where_nothing_is_known(self):
        self.assertEqual(self.offered("run", "--threads", ""), [])


if __name__ == "__main__":
    unittest.main()
