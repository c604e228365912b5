"""An installation for tests: under a prefix of its own, moved after it was made."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build" / "release")


def called(*command, **options):
    """What a command printed; an error with all of it where it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout}")
    return done.stdout


class Installation:
    """`prefix` holds what was installed, `folder` is another one to work in."""

    def __init__(self, *components):
        self._all = tempfile.TemporaryDirectory()
        top = pathlib.Path(self._all.name)
        self.folder = top / "a folder"
        self.folder.mkdir()
        for component in components:
            called("cmake", "--install", BUILD, "--prefix", top / "made",
                   "--component", component)
        self.prefix = top / "moved"
        (top / "made").rename(self.prefix)

    def environment(self):
        """As of a user who knows nothing but PATH."""
        path = f"{self.prefix}/bin:/usr/bin:/bin"
        out = {key: value for key, value in os.environ.items() if not key.startswith("SEPTET_")}
        return {**out, "PATH": path}

    def call(self, *command):
        return called(*command, cwd=self.folder, env=self.environment())

    def remove(self):
        self._all.cleanup()


def has(program):
    return shutil.which(program) is not None
