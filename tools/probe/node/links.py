"""Copies from one GPU to the next, by the copy engine."""

import statistics
import time

import torch
import torch.distributed as dist

REPETITIONS = 9


def run(case, rank, world):
    """By rank 0 alone; the others wait."""
    size = case.case["bytes"]
    times = []
    if rank == 0:
        source = torch.ones(size, device="cuda:0", dtype=torch.uint8)
        target = torch.empty(size, device=f"cuda:{1 % world}", dtype=torch.uint8)
        for _ in range(REPETITIONS + 2):
            synchronize(world)
            begin = time.perf_counter()
            target.copy_(source, non_blocking=True)
            synchronize(world)
            times.append((time.perf_counter() - begin) * 1e6)
    dist.barrier()
    value = statistics.median(times[2:]) if times else 0.0
    return {"wall": value}, REPETITIONS


def synchronize(world):
    torch.cuda.synchronize(0)
    if world > 1:
        torch.cuda.synchronize(1)
