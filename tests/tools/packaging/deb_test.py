"""The Debian packages in a Debian that has nothing else. The argument is the build folder.

Needs root, debootstrap and a mirror of Debian.
"""

import os
import pathlib
import shutil
import tempfile
import unittest
import urllib.request

from installation import BUILD, called, has

MIRROR = os.environ.get("SEPTET_DEBIAN_MIRROR", "http://deb.debian.org/debian")


def mirror_answers():
    try:
        with urllib.request.urlopen(f"{MIRROR}/dists/bookworm/Release", timeout=20) as answer:
            return answer.status == 200
    except OSError:
        return False


class Deb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = tempfile.TemporaryDirectory()
        cls.top = pathlib.Path(cls.all.name)
        called("cpack", "--config", BUILD / "CPackConfig.cmake", cwd=cls.top)
        cls.packages = {file.name.split("_")[0]: file for file in cls.top.glob("*.deb")}

    @classmethod
    def tearDownClass(cls):
        cls.all.cleanup()

    def test_there_are_three_packages_that_name_what_they_need(self):
        self.assertEqual(set(self.packages), {"septet", "libseptet-dev", "python3-septet"})
        needs = {name: called("dpkg-deb", "-f", file, "Depends")
                 for name, file in self.packages.items()}
        for library in ("libc6", "libfmt9", "libhdf5", "libtbb12"):
            self.assertIn(library, needs["septet"])
        for package in ("septet (= ", "python3-numpy", "libhdf5"):
            self.assertIn(package, needs["python3-septet"])
        for package in ("libtbb-dev", "libhdf5-dev", "libfmt-dev"):
            self.assertIn(package, needs["libseptet-dev"])

    @unittest.skipUnless(os.geteuid() == 0 and has("debootstrap") and mirror_answers(),
                         "needs root, debootstrap and a mirror")
    def test_the_command_works_in_a_clean_debian(self):
        root = self.top / "root"
        called("debootstrap", "--variant=minbase", "bookworm", root, MIRROR)
        shutil.copy(self.packages["septet"], root / "septet.deb")

        def inside(*command):
            # Namespaces of its own: nothing that is mounted or started there stays.
            return called("unshare", "--mount", "--pid", "--fork", "chroot", root, "env",
                          "DEBIAN_FRONTEND=noninteractive", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                          "LC_ALL=C", *command)

        shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        inside("apt-get", "install", "-qy", "--no-install-recommends", "/septet.deb")
        out = inside("sh", "-c", "mount -t proc proc /proc && septet hardware && septet run "
                     "/usr/share/septet/scenarios/shipped/eager-chain.toml")
        self.assertIn("h200-sxm", out)
        self.assertIn("xeon-h200-host", out)
        shutil.copy(self.packages["python3-septet"], root / "python3-septet.deb")
        inside("apt-get", "install", "-qy", "--no-install-recommends", "/python3-septet.deb")
        program = ("import septet; r = septet.run(septet.shipped("
                   "'scenarios/shipped/eager-chain.toml')); print(len(r.kernels), 'kernels')")
        self.assertRegex(inside("python3", "-c", program), r"^[1-9]\d* kernels\n$")


if __name__ == "__main__":
    unittest.main()
