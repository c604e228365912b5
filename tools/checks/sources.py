"""The project's own source files: what git tracks or would track."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE = (".cpp", ".hpp", ".cu")


def all_files(root=ROOT):
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"],
        cwd=root, check=True, stdout=subprocess.PIPE).stdout.decode().split("\0")
    return sorted(name for name in set(listed) if name and (root / name).is_file())


def code_files(root=ROOT):
    return [name for name in all_files(root) if name.endswith(CODE)]
