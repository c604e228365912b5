"""clang-tidy over the sources that the release build compiles, tests excepted.

A file that passed is not analysed again until it, a header that it includes, its compile command or
the set of checks changes: build/tidy-cache holds one empty file for each state that passed. The
headers are those that Ninja recorded.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

import sources

ROOT = sources.ROOT
BUILD = ROOT / "build" / "release"
CACHE = ROOT / "build" / "tidy-cache"
FOLDERS = ("core", "models", "scenarios", "tools")
KEPT_FLAGS = ("-I", "-D", "-std=", "-isystem")


def main():
    CACHE.mkdir(parents=True, exist_ok=True)
    salt = common_salt()
    headers = recorded_headers()
    jobs = [job for job in compile_jobs() if not (CACHE / job_key(job, headers, salt)).exists()]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for job, (code, output) in zip(jobs, pool.map(analyse, jobs)):
            if code == 0:
                (CACHE / job_key(job, headers, salt)).touch()
            else:
                failed += 1
                print(output)
    print(f"clang-tidy: {len(jobs)} files analysed, {failed} with findings")
    return 1 if failed else 0


def compile_jobs():
    """(source, flags, object) of every file of ours that is compiled."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"]).resolve()
        name = source.relative_to(ROOT) if source.is_relative_to(ROOT) else None
        if name is not None and name.parts[0] in FOLDERS:
            words = shlex.split(entry["command"])
            yield str(name), kept_flags(words), words[words.index("-o") + 1]


def kept_flags(words):
    """The flags that decide what the code means; warnings are the compiler's business."""
    kept = []
    for position, word in enumerate(words):
        if word == "-isystem":
            kept += [word, words[position + 1]]
        elif word.startswith(KEPT_FLAGS):
            kept.append(word)
    return kept


def recorded_headers():
    """The inputs of each object file."""
    text = subprocess.run(["ninja", "-C", str(BUILD), "-t", "deps"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    out = {}
    current = None
    for line in text.splitlines():
        if line.startswith("    "):
            current.append(line.strip())
        elif ": #deps" in line:
            current = out.setdefault(line.split(": #deps")[0], [])
    return out


def common_salt():
    version = subprocess.run(["clang-tidy", "--version"], check=True, stdout=subprocess.PIPE).stdout
    return version + (ROOT / ".clang-tidy").read_bytes()


def job_key(job, headers, salt):
    source, flags, made = job
    digest = hashlib.sha256(salt)
    digest.update("\0".join([source, *flags]).encode())
    for name in sorted({str(ROOT / source), *headers.get(made, [])}):
        digest.update(file_state(name))
    return digest.hexdigest()


def file_state(name):
    """Our own files by content, the system's by size and time, which packages keep."""
    path = (BUILD / name).resolve()
    if path.is_relative_to(ROOT):
        return path.read_bytes()
    state = path.stat()
    return f"{path} {state.st_size} {state.st_mtime_ns}".encode()


def analyse(job):
    source, flags, _ = job
    done = subprocess.run(["clang-tidy", "--quiet", source, "--", *flags], cwd=ROOT, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


if __name__ == "__main__":
    sys.exit(main())
