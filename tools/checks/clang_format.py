"""Fails on every source file that clang-format would change. `--fix` changes them."""

import subprocess
import sys

import sources


def main():
    names = sources.code_files()
    mode = ["-i"] if "--fix" in sys.argv[1:] else ["--dry-run", "-Werror"]
    return subprocess.run(["clang-format", *mode, *names], cwd=sources.ROOT,
                          check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
