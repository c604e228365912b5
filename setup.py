"""What pyproject.toml can't say: CMake builds the extension, the command and what they read.

SEPTET_BUILD_DIR: a build folder that is there already, such as build/release; else build/wheel is
made, which takes minutes.
"""

import os
import pathlib
import re
import shutil
import subprocess

import setuptools
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
BUILD = ROOT / os.environ.get("SEPTET_BUILD_DIR", "build/wheel")
SCRATCH = ROOT / "build/setuptools"
STAGE = SCRATCH / "installed"
BESIDE_THE_PACKAGE = ("bin", "share/septet", "share/man", "share/bash-completion")


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(septet VERSION (\S+)", text).group(1)


def cmake(*arguments):
    subprocess.run(["cmake", *map(str, arguments)], check=True, cwd=ROOT)


def build():
    """Everything that is installed, under STAGE."""
    if not (BUILD / "CMakeCache.txt").exists():
        cmake("--preset", "release", "-B", BUILD, "-DSEPTET_TESTS=OFF")
    cmake("--build", BUILD, "--target", "installable")
    shutil.rmtree(STAGE, ignore_errors=True)
    for component in ("command", "python"):
        cmake("--install", BUILD, "--prefix", STAGE, "--component", component)


def beside_the_package():
    """[(folder under the prefix, [file])]"""
    folders = {}
    for top in BESIDE_THE_PACKAGE:
        for file in sorted((STAGE / top).rglob("*")):
            if file.is_file():
                folder = str(file.parent.relative_to(STAGE))
                folders.setdefault(folder, []).append(str(file.relative_to(ROOT)))
    return list(folders.items())


class Extension(build_ext):
    """Copies the extension that CMake has built."""

    def build_extension(self, ext):
        built, = STAGE.rglob("_septet*.so")
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built, target)


def data_files(commands):
    """Known only after the build, which asking for metadata doesn't need."""
    if not any(name.startswith(("bdist", "build", "install")) for name in commands):
        return []
    build()
    return beside_the_package()


if __name__ == "__main__":
    import sys

    SCRATCH.mkdir(parents=True, exist_ok=True)
    setuptools.setup(
        version=version(),
        ext_modules=[setuptools.Extension("septet._septet", [])],
        data_files=data_files(sys.argv[1:]),
        cmdclass={"build_ext": Extension},
        options={"egg_info": {"egg_base": str(SCRATCH)},
                 "build": {"build_base": str(SCRATCH / "build")},
                 "bdist_wheel": {"bdist_dir": str(SCRATCH / "bdist")}})
