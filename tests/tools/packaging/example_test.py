"""A project of its own links an installed Septet. The argument is the build
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
        # The first launch returns at 4 us and reaches the GPU at 5. Each kernel takes 1 us and two
        # waves of 5 us, longer than a launch: the last ends at 5 + 20 * 11 us, is seen by the host
        # 1 us later, and the thread goes on after another 2 us.
        self.assertEqual(installed.call("build/serial_gpu"), "228 us, GPU busy for 220 us\n")


if __name__ == "__main__":
    unittest.main()
