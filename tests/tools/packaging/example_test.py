"""A project of its own links the engine of an installed Septet. The argument is the build
folder."""

import unittest

from installation import ROOT, Installation


class Example(unittest.TestCase):
    def test_configures_builds_and_runs(self):
        installed = Installation("development")
        self.addCleanup(installed.remove)
        source = ROOT / "tools" / "packaging" / "example"
        installed.call("cmake", "-S", source, "-B", "build",
                       f"-DCMAKE_PREFIX_PATH={installed.prefix}")
        installed.call("cmake", "--build", "build")
        # One serve and ten returns.
        self.assertEqual(installed.call("build/ping_pong"), "11 hits\n")


if __name__ == "__main__":
    unittest.main()
