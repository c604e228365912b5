"""Steps of a decoder whose heads, feed-forward columns and vocabulary are divided among GPUs."""

import torch
import torch.distributed as dist
import torch.nn.functional as F

import timing

MOST_SEQUENCES = 64
CACHED = 2049  # tokens of a sequence for which there is room
REPETITIONS = {"eager_wall": 7, "graph_wall": 15}


class Part:
    """One rank's share of the weights and of the keys and values."""

    def __init__(self, shape, world):
        self.dim = shape["dim"]
        self.heads = shape["heads"] // world
        self.kv_heads = shape["kv_heads"] // world
        self.hidden = shape["hidden"]
        ffn = shape["ffn"] // world
        columns = (self.heads + 2 * self.kv_heads) * self.dim
        self.norm = torch.ones(self.hidden, device="cuda", dtype=torch.bfloat16)
        self.head = random(shape["vocab"] // world, self.hidden)
        self.layers = [{"qkv": random(columns, self.hidden),
                        "out": random(self.hidden, self.heads * self.dim),
                        "gate_up": random(2 * ffn, self.hidden),
                        "down": random(self.hidden, ffn),
                        "keys": self.cache(), "values": self.cache()}
                       for _ in range(shape["layers"])]

    def cache(self):
        return torch.zeros(MOST_SEQUENCES, self.kv_heads, CACHED, self.dim, device="cuda",
                           dtype=torch.bfloat16)

    def attention(self, layer, x, batch, queries, context):
        heads = self.heads + 2 * self.kv_heads
        qkv = F.linear(F.rms_norm(x, (self.hidden,), self.norm), layer["qkv"])
        qkv = qkv.view(batch, queries, heads, self.dim).transpose(1, 2)
        query, key, value = qkv.split([self.heads, self.kv_heads, self.kv_heads], 1)
        layer["keys"][:batch, :, context - queries:context] = key
        layer["values"][:batch, :, context - queries:context] = value
        mixed = F.scaled_dot_product_attention(
            query, layer["keys"][:batch, :, :context], layer["values"][:batch, :, :context],
            is_causal=queries == context, enable_gqa=True)
        mixed = mixed.transpose(1, 2).reshape(batch * queries, self.heads * self.dim)
        out = F.linear(mixed, layer["out"])
        dist.all_reduce(out)
        return x + out

    def feed_forward(self, layer, x):
        normed = F.rms_norm(x, (self.hidden,), self.norm)
        gate, up = F.linear(normed, layer["gate_up"]).chunk(2, -1)
        out = F.linear(F.silu(gate) * up, layer["down"])
        dist.all_reduce(out)
        return x + out

    def step(self, x, batch, queries, context):
        for layer in self.layers:
            x = self.feed_forward(layer, self.attention(layer, x, batch, queries, context))
        return F.linear(x[-batch:], self.head)


def random(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16) * 0.02


class Parts:
    """The weights of the model at hand; those of the one before are given back first."""

    def __init__(self):
        self.name = None
        self.part = None

    def of(self, case, world):
        if case["model"] != self.name:
            self.part = None
            torch.cuda.empty_cache()
            self.part = Part(case["shape"], world)
            self.name = case["model"]
        return self.part


_parts = Parts()


@torch.no_grad()
def run(case, rank, world):
    del rank
    what = case.case
    part = _parts.of(what, world)
    queries = what["ctx"] if what["phase"] == "prefill" else 1
    x = random(what["batch"] * queries, part.hidden)

    def step():
        part.step(x, what["batch"], queries, what["ctx"])

    eager = timing.wall(step, REPETITIONS["eager_wall"])
    graph = timing.graph_of(step, 1)
    replayed = timing.wall(graph.replay, REPETITIONS["graph_wall"])
    return {"eager_wall": eager, "graph_wall": replayed}, REPETITIONS["graph_wall"]
