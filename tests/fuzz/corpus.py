"""The first inputs of each fuzzer, out of the project's own files: corpus.fill(NAME, FOLDER)."""

import gzip
import hashlib
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEASURED = ROOT / "data" / "measurements"
SEAL = 20  # bytes of the checksum behind a trace file


def fill(name, folder):
    """Writes the inputs of the fuzzer NAME, each under a name made of its content."""
    folder.mkdir(parents=True, exist_ok=True)
    for content in MAKERS[name]():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def texts(*patterns):
    for pattern in patterns:
        for file in sorted(ROOT.glob(pattern)):
            yield file.read_text(encoding="utf-8")


def units():
    found = set()
    for text in texts("data/hardware/*.toml", "scenarios/shipped/**/*.toml"):
        found.update(re.findall(r'"(\d[\d.]* ?[A-Za-z/]+)"', text))
    return sorted(found)


def what_ifs():
    text = (ROOT / "scenarios" / "WHATIFS.md").read_text(encoding="utf-8")
    return sorted({word for word in re.findall(r"`([a-z][^`\n]*)`", text) if "--" not in word})


def recordings():
    """The first entries of recordings, and some of what runs on the GPU."""
    for file in sorted(MEASURED.glob("*/traces/*.json.gz"))[:6]:
        with gzip.open(file) as packed:
            recording = json.load(packed)
        events = recording["traceEvents"]
        on_gpu = [e for e in events if e.get("cat") in ("kernel", "cuda_runtime", "gpu_memcpy")]
        recording["traceEvents"] = events[:25] + on_gpu[:12]
        yield json.dumps(recording)
    yield gzip.compress(json.dumps(recording).encode(), mtime=0)


def reports():
    for text in texts("data/measurements/*/kernels/*.csv"):
        yield "\n".join(text.splitlines()[:5]) + "\n"
    yield ('==PROF== x\n"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
           '"0","f(int, ""x"")","launch__grid_size","","1,008"\n'
           '"0","f(int, ""x"")","gpu__time_duration.sum","usecond","1.5"\n')


def rows():
    for text in texts("data/measurements/*/*.jsonl"):
        yield "\n".join(text.splitlines()[:3]) + "\n"


def trace_files():
    """A result with its checksum, and without."""
    septet = ROOT / "build" / "release" / "tools" / "septet" / "septet"
    for name in ("fork-join", "copy-overlap"):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([septet, "run", ROOT / f"scenarios/shipped/{name}.toml",
                            "--output-dir", pathlib.Path(folder) / "out"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            whole = (pathlib.Path(folder) / "out" / "trace.h5").read_bytes()
        yield whole
        yield whole[:-SEAL]


MAKERS = {
    "units": units,
    "kineto": recordings,
    "trace_file": trace_files,
    "nsight": reports,
    "rows": rows,
    "profile": lambda: texts("data/hardware/*.toml"),
    "scenario": lambda: texts("scenarios/shipped/*.toml", "scenarios/shipped/clusters/*.toml"),
    "network": lambda: texts("scenarios/shipped/networks/*.toml", "data/nodes/*.toml"),
    "what_if": what_ifs,
}
