"""Manual pages: one for each command, without mistakes. The argument is the build folder."""

import re
import unittest

from installation import Installation, called, has


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.installed = Installation("command")
        folder = cls.installed.prefix / "share" / "man" / "man1"
        cls.pages = {file.stem: file for file in folder.glob("*.1")}

    @classmethod
    def tearDownClass(cls):
        cls.installed.remove()

    def commands_of(self, *group):
        out = self.installed.call("septet", *group, "--help").split("Commands:")[1]
        return re.findall(r"^  ([a-z-]+)  ", out, re.MULTILINE)

    def test_every_command_has_a_page_and_every_page_a_command(self):
        wanted = {"septet"}
        wanted |= {f"septet-{name}" for name in self.commands_of()}
        wanted |= {f"septet-bench-{name}" for name in self.commands_of("bench")}
        self.assertEqual(set(self.pages), wanted)

    def test_a_page_has_every_option_of_its_command(self):
        for name, page in self.pages.items():
            text = page.read_text(encoding="utf-8").replace("\\-", "-")
            out = self.installed.call(*name.split("-"), "--help")
            for option in re.findall(r"^  (?:-\w \[ )?(--[a-z0-9-]+)", out, re.MULTILINE):
                self.assertIn(f"\\fB{option}\\fR", text, name)

    def test_what_refers_to_a_page_finds_one(self):
        for name, page in self.pages.items():
            references = re.findall(r"^\.BR (\S+) \(1\)", page.read_text(encoding="utf-8"),
                                    re.MULTILINE)
            self.assertTrue(references, name)
            for reference in references:
                self.assertIn(reference.replace("\\-", "-"), self.pages, name)

    @unittest.skipUnless(has("mandoc"), "needs mandoc")
    def test_mandoc_finds_no_mistake(self):
        for page in self.pages.values():
            self.assertEqual(called("mandoc", "-T", "lint", "-W", "warning", page), "")

    @unittest.skipUnless(has("man"), "needs man")
    def test_man_shows_them_without_warnings(self):
        for page in self.pages.values():
            out = called("man", "--warnings", "-l", page)
            self.assertNotIn("warning:", out)


if __name__ == "__main__":
    unittest.main()
