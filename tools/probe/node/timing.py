"""Clocks of the probe of a node; each answers microseconds, the median of repetitions."""

import statistics
import time

import torch
import torch.distributed as dist


def barrier():
    torch.cuda.synchronize()
    dist.barrier()
    torch.cuda.synchronize()


def events(call, calls, repetitions=7, warm=3):
    """Device time of a call, between two events around `calls` of them."""
    for _ in range(warm):
        call()
    barrier()
    times = []
    for _ in range(repetitions):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1e3 / calls)
    return statistics.median(times)


def graph_of(call, calls):
    """A graph of `calls` calls, captured after they ran on a stream of their own."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(2):
            call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            call()
    return graph


def wall(call, repetitions=15, warm=3):
    """From a call on all ranks at once until this rank's GPU has done it."""
    for _ in range(warm):
        call()
    times = []
    for _ in range(repetitions):
        barrier()
        begin = time.perf_counter()
        call()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - begin) * 1e6)
    return statistics.median(times)


def walls_in_row(call, seconds=1.0, warm=4, repetitions=3):
    """Time of a call among many, back to back for about `seconds`; and how many there were."""
    for _ in range(warm):
        call()
    barrier()
    begin = time.perf_counter()
    call()
    torch.cuda.synchronize()
    longest = torch.tensor([time.perf_counter() - begin], device="cuda")
    dist.all_reduce(longest, dist.ReduceOp.MAX)
    calls = max(6, min(60, int(seconds / longest.item())))
    times = []
    for _ in range(repetitions):
        barrier()
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - begin) / calls * 1e6)
    return statistics.median(times), calls
