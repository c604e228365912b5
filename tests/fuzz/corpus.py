"""The first inputs of each fuzzer, out of the project's own files: corpus.fill(NAME, FOLDER)."""

import gzip
import hashlib
import json
import pathlib
import re
import sqlite3
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


def exports():
    """A launch, its kernel and copy, an NVTX range: as Nsight Systems exports them."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "step.sqlite"
        database = sqlite3.connect(path)
        database.executescript("""
            CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
            INSERT INTO StringIds VALUES (1, 'gemm'), (2, 'cudaLaunchKernel_v7000');
            CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId,
                correlationId, globalPid, demangledName, gridX, gridY, gridZ, blockX, blockY,
                blockZ, graphNodeId);
            INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
                (2000, 9000, 0, 1, 7, 1, 83886080, 1, 1, 1, 1, 32, 1, 1, NULL);
            CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId,
                correlationId, globalPid, bytes, copyKind, srcKind, dstKind);
            INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES
                (9500, 9900, 0, 1, 7, 2, 83886080, 64, 2, 2, 0);
            CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId);
            INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (0, 900, 83886088, 1, 2);
            CREATE TABLE NVTX_EVENTS (start, end, eventType, text, textId, globalTid);
            INSERT INTO NVTX_EVENTS VALUES (0, 990, 59, 'aten::mm, op_id = 1', NULL, 83886088);
        """)
        database.close()
        yield path.read_bytes()


def planes():
    """An XSpace with a launch on a host plane and its kernel on a GPU plane."""
    def field(number, content):
        if isinstance(content, int):
            return bytes([number << 3]) + varint(content)
        return bytes([number << 3 | 2]) + varint(len(content)) + content

    def varint(value):
        out = b""
        while value > 127:
            out += bytes([value & 127 | 128])
            value >>= 7
        return out + bytes([value])

    def plane(name, line, event):
        stats = field(4, field(1, 1) + field(3, 12))
        one = field(1, 1) + field(2, 7000) + field(3, 9000) + stats
        lines = field(1, 16) + field(2, line) + field(3, 1000) + field(4, one)
        names = field(1, 1) + field(2, field(1, 1) + field(2, event))
        stat = field(1, 1) + field(2, field(1, 1) + field(2, b"correlation_id"))
        return field(1, field(2, name) + field(3, lines) + field(4, names) + field(5, stat))

    yield (plane(b"/host:CPU", b"worker", b"cuLaunchKernel") +
           plane(b"/device:GPU:0", b"Stream #16(Compute)", b"fusion"))


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


def logs():
    """Request logs in each format, with the ends of line and times that are seen in them."""
    yield ("TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
           "2023-11-16 18:17:03.9799600,4808,10\r\n2023-11-16 18:17:04.0319600,3180,8\r\n")
    yield ('{"timestamp": 0, "input_length": 6755, "output_length": 500, "hash_ids": [0, 1, 2]}\n'
           '{"timestamp": 3000, "input_length": 900, "output_length": 1, "hash_ids": [0]}\n')
    yield ("Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
           "5,ChatGPT,472,18,490,Conversation log\n45,GPT-4,1087,230,1317,API log\n")
    yield "arrival_s,input_tokens,output_tokens\n0,100,10\n2.5,1,0\n"


def model_configs():
    dense = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096,
             "intermediate_size": 14336, "num_attention_heads": 32, "num_key_value_heads": 8,
             "num_hidden_layers": 32, "vocab_size": 128256, "torch_dtype": "bfloat16",
             "max_position_embeddings": 131072, "tie_word_embeddings": False}
    experts = {**dense, "architectures": ["MixtralForCausalLM"], "model_type": "mixtral",
               "num_local_experts": 8, "num_experts_per_tok": 2, "sliding_window": None}
    scaled = {**dense, "quantization_config": {"quant_method": "fp8",
                                               "weight_block_size": [128, 128]}}
    for config in (dense, experts, scaled):
        yield json.dumps(config)


MAKERS = {
    "units": units,
    "kineto": recordings,
    "nsys": exports,
    "xspace": planes,
    "trace_file": trace_files,
    "nsight": reports,
    "rows": rows,
    "profile": lambda: texts("data/hardware/*.toml"),
    "scenario": lambda: texts("scenarios/shipped/*.toml", "scenarios/shipped/clusters/*.toml"),
    "network": lambda: texts("scenarios/shipped/networks/*.toml", "data/nodes/*.toml"),
    "what_if": what_ifs,
    "requests": logs,
    "serving": lambda: texts("scenarios/shipped/serving/*.toml",
                             "scenarios/shipped/capacity/*.toml"),
    "model": model_configs,
    "sweep": lambda: texts("scenarios/shipped/sweeps/*.toml"),
}
