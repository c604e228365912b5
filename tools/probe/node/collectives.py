"""Collectives alone, back to back; and beside products on another stream."""

import torch
import torch.distributed as dist

import timing

REPETITIONS = 7
SIDE = 8192  # of the square matrices beside collectives


def call_of(op, size, rank, world):
    """One collective of `size` bytes, as data/measurements/FORMAT.md counts them."""
    count = size // 2
    whole = torch.ones(count, device="cuda", dtype=torch.bfloat16)
    part = torch.ones(max(1, count // world), device="cuda", dtype=torch.bfloat16)
    other = torch.empty_like(whole)
    calls = {
        "all_reduce": lambda: dist.all_reduce(whole),
        "all_gather": lambda: dist.all_gather_into_tensor(whole, part),
        "reduce_scatter": lambda: dist.reduce_scatter_tensor(part, whole),
        "all_to_all": lambda: dist.all_to_all_single(other, whole),
        "broadcast": lambda: dist.broadcast(whole, 0),
        "send_recv": lambda: send_or_receive(whole, rank),
    }
    return calls[op]


def send_or_receive(buffer, rank):
    """From rank 0 to rank 1."""
    if rank == 0:
        dist.send(buffer, 1)
    elif rank == 1:
        dist.recv(buffer, 0)


def run(case, rank, world):
    call = call_of(case.case["op"], case.case["bytes"], rank, world)
    calls = case.case.get("graph_of")
    if calls is None:
        return {"device_time": timing.events(call, case.how["calls"], REPETITIONS)}, REPETITIONS
    graph = timing.graph_of(call, calls)
    return {"device_time": timing.events(graph.replay, 2, REPETITIONS) / calls}, REPETITIONS


def run_overlap(case, rank, world):
    del rank, world
    matrix = torch.randn(SIDE, SIDE, device="cuda", dtype=torch.bfloat16)
    buffer = torch.ones(case.case["all_reduce_mbytes"] << 19, device="cuda", dtype=torch.bfloat16)
    side = torch.cuda.Stream()
    count = case.case["count"]

    def products():
        for _ in range(count):
            matrix @ matrix  # pylint: disable=pointless-statement

    def reductions():
        for _ in range(count):
            dist.all_reduce(buffer)

    def both():
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            reductions()
        products()
        torch.cuda.current_stream().wait_stream(side)

    repetitions = 15
    return {"gemm_alone": timing.wall(products, repetitions),
            "comm_alone": timing.wall(reductions, repetitions),
            "together": timing.wall(both, repetitions)}, repetitions
