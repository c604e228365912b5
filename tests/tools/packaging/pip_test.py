"""`pip install .` and a wheel, without a network, in a clean environment, with the source tree out
of sight. The argument is the build folder, which pip's build reuses."""

import os
import pathlib
import sys
import tempfile
import unittest
import zipfile

from install_test import can_hide_folders
from installation import BUILD, ROOT, called

OFFLINE = ("--no-build-isolation", "--no-index", "--no-deps", "--quiet",
           "--disable-pip-version-check")
PROGRAM = """
import septet, sys
assert septet.__file__.startswith(sys.prefix), septet.__file__
place = septet.shipped("scenarios/shipped/fork-join.toml")
assert place.startswith(sys.prefix), place
run = septet.run(place, what_ifs=["host-speed=2"])
swept = septet.sweep(septet.shipped("scenarios/shipped/sweeps/launch-cost.toml"))
print(len(run.kernels.to_pandas()), run.what_ifs[-1].name, swept.statuses)
"""


class Pip(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "SEPTET_BUILD_DIR": str(BUILD.resolve()),
                            "PIP_CACHE_DIR": str(self.folder / "cache")}
        for name in ("PYTHONPATH", "SEPTET_DATA"):
            self.environment.pop(name, None)
        called("/usr/bin/python3", "-m", "venv", "--system-site-packages", self.folder / "venv")
        self.python = self.folder / "venv/bin/python"

    def pip(self, *arguments):
        called(self.python, "-m", "pip", *arguments, cwd=self.folder, env=self.environment)

    def out_of_sight(self, *command):
        """What a command prints where the source tree is an empty folder."""
        return called("unshare", "--map-root-user", "--mount", "sh", "-c",
                      'mount -t tmpfs none "$0" && [ ! -e "$0/data" ] && "$@"', ROOT, *command,
                      cwd=self.folder, env=self.environment)

    def check_works(self):
        # Fork-join: 20 graphs of 14 kernels. The sweep: all points of its description.
        out = self.out_of_sight(self.python, "-c", PROGRAM)
        self.assertRegex(out, r"^280 host-speed=2 \{'done': \d+\}\n$")
        out = self.out_of_sight(self.folder / "venv/bin/septet", "hardware")
        self.assertIn("h200-sxm", out)

    @unittest.skipUnless(can_hide_folders(), "needs namespaces")
    def test_installs_from_the_tree(self):
        self.pip("install", *OFFLINE, ROOT)
        self.check_works()
        self.pip("uninstall", "--yes", "--quiet", "septet")
        self.assertFalse((self.folder / "venv/share/septet/hardware").exists())

    @unittest.skipUnless(can_hide_folders(), "needs namespaces")
    def test_makes_a_wheel_that_installs(self):
        self.pip("wheel", *OFFLINE, "--wheel-dir", self.folder, ROOT)
        wheel, = self.folder.glob("septet-*.whl")
        tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
        self.assertRegex(wheel.name, rf"^septet-[\d.]+-{tag}-{tag}-linux_\w+\.whl$")
        names = zipfile.ZipFile(wheel).namelist()
        for wanted in ("septet/__init__.py", "septet/_septet.pyi", "septet/py.typed"):
            self.assertIn(wanted, names)
        self.pip("install", *OFFLINE, wheel)
        self.check_works()


if __name__ == "__main__":
    unittest.main()
