"""Training steps of a decoder: alone, with gradients reduced in buckets (DDP), sharded (FSDP2)."""

import contextlib

import torch
import torch.nn.functional as F
from torch import nn

import timing


class Norm(nn.Module):
    def __init__(self, kind, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width)) if kind == "layer" else None

    def forward(self, x):
        if self.bias is None:
            return F.rms_norm(x, self.weight.shape, self.weight)
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias)


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        width = shape["hidden"]
        self.columns = [heads * shape["dim"] for heads in
                        (shape["heads"], shape["kv_heads"], shape["kv_heads"])]
        self.first, self.second = (Norm(shape["norm"], width) for _ in range(2))
        self.qkv = nn.Linear(width, sum(self.columns), bias=False)
        self.out = nn.Linear(self.columns[0], width, bias=False)
        inner = shape["feed_forward"]
        self.up = nn.Linear(width, inner * (2 if shape["gated"] else 1), bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def split(self, x, columns):
        return x.view(*x.shape[:2], columns // self.shape["dim"], -1).transpose(1, 2)

    def forward(self, x, angles):
        query, key, value = (self.split(part, columns) for part, columns in
                             zip(self.qkv(self.first(x)).split(self.columns, -1), self.columns))
        if angles is not None:
            query, key = rotated(query, angles), rotated(key, angles)
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=True)
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        inner = self.up(self.second(x))
        if self.shape["gated"]:
            gate, inner = inner.chunk(2, -1)
            inner = F.silu(gate) * inner
        else:
            inner = F.gelu(inner)
        return x + self.down(inner)


def rotated(x, angles):
    cosine, sine = angles
    first, second = x.chunk(2, -1)
    return torch.cat((first * cosine - second * sine, second * cosine + first * sine), -1)


class Decoder(nn.Module):
    """Returns the loss of predicting each next token, on logits in fp32."""

    def __init__(self, shape, sequence):
        super().__init__()
        self.tokens = nn.Embedding(shape["vocabulary"], shape["hidden"])
        learned = shape["positions"] == "learned"
        self.positions = nn.Embedding(sequence, shape["hidden"]) if learned else None
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape["layers"]))
        self.norm = Norm(shape["norm"], shape["hidden"])
        self.head = nn.Linear(shape["hidden"], shape["vocabulary"], bias=False)
        if not learned:
            frequency = 10000 ** (-torch.arange(0, shape["dim"], 2) / shape["dim"])
            angle = torch.outer(torch.arange(sequence), frequency)
            self.register_buffer("cosine", angle.cos(), persistent=False)
            self.register_buffer("sine", angle.sin(), persistent=False)

    def forward(self, tokens, targets):
        x = self.tokens(tokens)
        angles = None
        if self.positions is not None:
            x = x + self.positions.weight[:tokens.shape[1]]
        else:
            angles = self.cosine.to(x.dtype), self.sine.to(x.dtype)
        for block in self.blocks:
            x = block(x, angles)
        logits = self.head(self.norm(x)).float()
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def wrapped(model, what, rank):
    if what["style"] == "ddp":
        return nn.parallel.DistributedDataParallel(
            model, device_ids=[rank], bucket_cap_mb=what["bucket_mb"],
            gradient_as_bucket_view=True)
    if what["style"] == "fsdp2":
        from torch.distributed.fsdp import fully_shard
        for block in model.blocks:
            fully_shard(block)
        fully_shard(model)
    return model


def run(case, rank, world):
    del world
    what = case.case
    model = Decoder(what, what["sequence"]).to("cuda", torch.bfloat16)
    model = wrapped(model, what, rank)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    tokens = torch.randint(what["vocabulary"], (what["micro_batch"], what["sequence"] + 1),
                           device="cuda")
    inputs, targets = tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()

    def step():
        for i in range(what["accumulate"]):
            last = i == what["accumulate"] - 1
            waits = what["style"] == "ddp" and not last
            with model.no_sync() if waits else contextlib.nullcontext():
                model(inputs, targets).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    step()
    torch.cuda.reset_peak_memory_stats()
    time, count = timing.walls_in_row(step)
    return {"step_wall": time, "peak_memory": torch.cuda.max_memory_allocated()}, count
