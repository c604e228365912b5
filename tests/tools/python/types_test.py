"""Types are those of the code (mypy, and its stubtest for the extension), and all is documented."""

import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import septet

# Of pybind11's own making: the class of classes, and a constructor that only refuses.
OF_PYBIND11 = ["septet._septet." + name
               for name in ("StudyOptions", "SweepOptions", "Table", "Table.__init__")]
USES = '''
import septet
scenario: septet.Scenario = septet.Scenario.load("a.toml").changed(hardware={"gpu": "h200-sxm"})
swept: septet.Sweep = septet.sweep(scenario, output_dir="out", threads=2)
times: float = swept["simulated_us"].sum()
bad: int = swept.statuses
'''


def has_mypy():
    return pathlib.Path("/usr/bin/mypy").exists() and pathlib.Path("/usr/bin/stubtest").exists()


@unittest.skipUnless(has_mypy(), "needs mypy")
class Types(unittest.TestCase):
    def call(self, *command, **options):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, **options)

    def test_of_the_extension_are_those_of_its_description(self):
        with tempfile.TemporaryDirectory() as folder:
            known = pathlib.Path(folder) / "known"
            known.write_text("\n".join(OF_PYBIND11))
            done = self.call("/usr/bin/stubtest", "septet._septet", "--allowlist", known,
                             cwd=folder)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_of_the_package_hold(self):
        place = pathlib.Path(septet.__file__).parent.parent
        with tempfile.TemporaryDirectory() as folder:
            done = self.call("/usr/bin/mypy", "--ignore-missing-imports", "--cache-dir", folder,
                             "-p", "septet", cwd=place)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_are_known_to_those_who_use_it(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "uses.py"
            file.write_text(USES)
            place = pathlib.Path(septet.__file__).parent.parent
            done = self.call("/usr/bin/mypy", "--ignore-missing-imports", "--cache-dir", folder,
                             file, cwd=folder, env={**os.environ, "MYPYPATH": str(place)})
        errors = [line for line in done.stdout.splitlines() if ": error:" in line]
        self.assertEqual(len(errors), 1, done.stdout)  # the wrong type of `bad` alone
        self.assertIn("uses.py:6: error: Incompatible types", errors[0])


class Docstrings(unittest.TestCase):
    def test_of_everything_public(self):
        missing = []
        for name in septet.__all__:
            thing = getattr(septet, name)
            if not inspect.getdoc(thing):
                missing.append(name)
            members = vars(thing).items() if inspect.isclass(thing) else ()
            missing += [f"{name}.{member}" for member, value in members
                        if not member.startswith("_") and not inspect.getdoc(value)
                        and (callable(value) or isinstance(value, property))]
        self.assertEqual(missing, [])

    def test_of_functions_name_every_argument(self):
        for name in ("run", "replay", "sweep", "capacity", "validate", "explain", "occupancy"):
            function = getattr(septet, name)
            for argument in inspect.signature(function).parameters:
                with self.subTest(function=name, argument=argument):
                    self.assertRegex(function.__doc__, rf"\b{argument}\b")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])  # the command, which every test here gets, is no option
