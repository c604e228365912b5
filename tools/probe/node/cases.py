"""Every case that the probe of a node measures: rows without values, grouped by part.

A row is {"group", "case", "metric", "unit"}; `how` says how it is run and doesn't go into files.
"""

import dataclasses

KIB = 1 << 10
MIB = 1 << 20

# Bytes; powers of four, and between them where protocols and algorithms change.
EAGER_SIZES = [8 << 2 * i for i in range(14)]
GRAPH_SIZES = sorted([KIB << 2 * i for i in range(9)] +
                     [size * KIB for size in (5, 6, 12, 20, 48, 96, 192, 384, 640, 768, 1536, 3072,
                                              6144, 12288, 24576, 49152, 98304)])
ALL_TO_ALL_SIZES = [size * KIB for size in (1.5, 24, 384, 6144, 98304)]
PEER_SIZES = [4, 4 * KIB, 64 * KIB, MIB, 16 * MIB, 256 * MIB, 1024 * MIB]
REDUCE_MEGABYTES = [16, 64, 256]
CALLS_OF_GRAPH = 10

MODELS = {
    "llama-8b": {"layers": 32, "hidden": 4096, "ffn": 14336, "heads": 32, "kv_heads": 8,
                 "dim": 128, "vocab": 128256},
    "llama-70b-20-layers": {"layers": 20, "hidden": 8192, "ffn": 28672, "heads": 64,
                            "kv_heads": 8, "dim": 128, "vocab": 128256},
}
DECODES = [("decode", batch, context) for batch in (1, 8, 32, 64) for context in (256, 2048)]
PREFILLS = [("prefill", 1, length) for length in (128, 512, 2048)]

TRAINED = {
    "gpt2-small": {"layers": 12, "hidden": 768, "heads": 12, "kv_heads": 12, "dim": 64,
                   "feed_forward": 3072, "gated": False, "vocabulary": 50304, "norm": "layer",
                   "positions": "learned"},
    "llama-1b": {"layers": 16, "hidden": 2048, "heads": 32, "kv_heads": 8, "dim": 64,
                 "feed_forward": 8192, "gated": True, "vocabulary": 128256, "norm": "rms",
                 "positions": "rotary"},
    "llama-8b-8-layers": {"layers": 8, "hidden": 4096, "heads": 32, "kv_heads": 8, "dim": 128,
                          "feed_forward": 14336, "gated": True, "vocabulary": 128256,
                          "norm": "rms", "positions": "rotary"},
}
# Model, micro batch, sequence, style, bucket_mb, accumulate.
TRAINING = [("gpt2-small", 8, 512, "alone", None, 1), ("gpt2-small", 8, 512, "ddp", 25, 1),
            ("gpt2-small", 16, 1024, "ddp", 200, 1), ("llama-1b", 4, 2048, "alone", None, 1),
            ("llama-1b", 4, 2048, "ddp", 25, 1), ("llama-1b", 4, 2048, "ddp", 25, 4),
            ("llama-1b", 4, 2048, "fsdp2", None, 1), ("llama-1b", 1, 2048, "ddp", 100, 1),
            ("llama-8b-8-layers", 2, 2048, "ddp", 25, 1),
            ("llama-8b-8-layers", 2, 2048, "fsdp2", None, 1)]

PARTS = ("links", "collectives", "overlap", "tensor", "training")


@dataclasses.dataclass(frozen=True)
class Case:
    part: str
    group: str
    case: dict
    metrics: dict  # name: unit
    how: dict = dataclasses.field(default_factory=dict)

    def rows(self, values=None, count=None):
        """A row for each metric; without values for what is still to be measured."""
        for metric, unit in self.metrics.items():
            row = {"group": self.group, "case": self.case, "metric": metric}
            if values is not None:
                row["value"] = values[metric]
            row["unit"] = unit
            if count is not None:
                row["n"] = count
            yield row


def all_cases(gpus, nvls, parts=PARTS):
    """In the order in which they are measured. `nvls`: reduction in the switch is on."""
    makers = {"links": links, "collectives": collectives, "overlap": overlap, "tensor": tensor,
              "training": training}
    return [case for part in PARTS if part in parts for case in makers[part](gpus, nvls)]


def links(gpus, nvls):
    if nvls:
        return []
    return [Case("links", "nccl", {"op": "peer_copy", "bytes": size, "gpus": gpus,
                                   "timer": "wall of a copy and both GPUs' synchronisation"},
                 {"wall": "us"}) for size in PEER_SIZES]


def collectives(gpus, nvls):
    """Buffers divide among the ranks: sizes are rounded up to a multiple of 16 bytes a rank."""
    out = []
    for size in rounded(GRAPH_SIZES, gpus):
        for op in ("all_reduce", "all_gather", "reduce_scatter"):
            out.append(in_graph(op, size, gpus, nvls))
    out += [in_graph("all_to_all", size, gpus, nvls) for size in rounded(ALL_TO_ALL_SIZES, gpus)]
    if nvls:
        return out
    for size in rounded(EAGER_SIZES, gpus):
        for op in ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast",
                   "send_recv"):
            out.append(collective(op, size, gpus, nvls,
                                  {"timer": "events around 20 (4 from 16 MiB) calls back to back"},
                                  {"calls": 20 if size < 16 * MIB else 4}))
    return out


def rounded(sizes, gpus):
    """Each once, in rising order."""
    unit = 16 * gpus
    return sorted({max(unit, -(-int(size) // unit) * unit) for size in sizes})


def in_graph(op, size, gpus, nvls):
    return collective(op, size, gpus, nvls,
                      {"timer": "two replays of a graph of ten", "graph_of": CALLS_OF_GRAPH}, {})


def collective(op, size, gpus, nvls, more, how):
    return Case("collectives", "nccl", {"op": op, "bytes": size, "dtype": "bf16", "gpus": gpus,
                                        "nvls": nvls, **more}, {"device_time": "us"}, how)


def overlap(gpus, nvls):
    if nvls:
        return []
    return [Case("overlap", "overlap", {"gemm": "4x8192^3 bf16", "all_reduce_mbytes": megabytes,
                                        "count": 4, "gpus": gpus},
                 {"gemm_alone": "us", "comm_alone": "us", "together": "us"})
            for megabytes in REDUCE_MEGABYTES]


def tensor(gpus, nvls):
    if nvls:
        return []
    return [Case("tensor", "tp_step", {"model": name, "phase": phase, "batch": batch,
                                       "ctx": context, "tp": gpus, "gpus": gpus, "shape": shape,
                                       "l2": "warm"}, {"eager_wall": "us", "graph_wall": "us"})
            for name, shape in MODELS.items() if shape["kv_heads"] % gpus == 0
            for phase, batch, context in DECODES + PREFILLS]


def training(gpus, nvls):
    if nvls:
        return []
    out = []
    for name, batch, sequence, style, bucket, accumulate in TRAINING:
        case = {"what": "train_step", "model": name, **TRAINED[name], "micro_batch": batch,
                "sequence": sequence, "precision": "bf16", "recompute": "none", "mode": "eager",
                "optimizer": "adamw-fused", "style": style, "bucket_mb": bucket,
                "accumulate": accumulate, "nvls": nvls, "gpus": gpus}
        out.append(Case("training", "train_step", case,
                        {"step_wall": "us", "peak_memory": "B"}))
    return out
