"""What the probe shows without a fit: attributes, the clock, and round trips to the host."""

import math

GIGA = 1e9


class ProbeError(Exception):
    """The probe's files can't be used; says why."""


def nearest(about, shipped):
    """The name of the shipped GPU whose SMs, memory and caches differ least, as factors."""
    return min(sorted(shipped), key=lambda name: distance(about, shipped[name]))


def distance(about, gpu):
    own = {"sm_count": about["sm_count"], "l2": about["l2_bytes"], "clock": clock_hz(about),
           "memory_bandwidth": bandwidth(about), "sm.max_warps": about["threads_per_sm"] / 32,
           "sm.shared_memory": about["shared_per_sm"]}
    return sum(abs(math.log(value / number(gpu[key]))) for key, value in own.items())


def clock_hz(about):
    return about["clock_ghz"] * GIGA


def bandwidth(about):
    """Peak of the memory's pins, which move two bits a cycle, in bytes a second."""
    return about["memory_clock_khz"] * 1e3 * 2 * about["memory_bus_bits"] / 8


UNITS = {"MHz": 1e6, "TB/s": 1e12, "GB/s": 1e9, "GB": 1e9, "MB": 1e6, "kB": 1e3, "B": 1,
         "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "us": 1e-6, "ns": 1e-9}


def number(written):
    """A number as a profile has it in base units."""
    value, _, unit = str(written).partition(" ")
    return float(value) * UNITS.get(unit, 1)


def values(about, rows, base):
    """(dotted key, value as a profile has it, how it was measured) of all that needs no fit."""
    yield from attributes(about)
    yield from round_trips(about, base)
    alone = [row.value for row in rows if row.what == "sync_only"]
    if not alone:
        raise ProbeError("there is no row of a synchronisation alone: the probe did not finish")
    yield ("host.synchronize_cost", f"{alone[0]:.3g} us",
           "cudaDeviceSynchronize with nothing to wait for")


def attributes(about):
    how = "device attribute"
    yield "gpu.sm_count", about["sm_count"], how
    yield "gpu.clock", f"{about['clock_ghz'] * 1e3:.0f} MHz", "SM clock against the GPU's own timer"
    yield "gpu.memory", f"{about['memory_bytes'] / GIGA:.4g} GB", how
    yield ("gpu.memory_bandwidth", f"{bandwidth(about) / 1e12:.4g} TB/s",
           "device attributes, memory clock x 2 x width of the bus")
    yield "gpu.l2", f"{about['l2_bytes'] // 1024} KiB", how
    yield "gpu.sm.max_warps", about["threads_per_sm"] // 32, how
    yield "gpu.sm.max_blocks", about["blocks_per_sm"], how
    yield "gpu.sm.max_threads_per_block", about["threads_per_block"], how
    yield "gpu.sm.registers", about["registers_per_sm"], how
    yield "gpu.sm.shared_memory", f"{about['shared_per_sm'] // 1024} KiB", how
    yield "gpu.sm.shared_per_block_max", f"{about['shared_per_block_max'] // 1024} KiB", how
    yield "gpu.sm.shared_reserved_per_block", f"{about['shared_reserved_per_block']} B", how


def round_trips(about, base):
    """Front end and completion. What only shows in sums is divided as in the base."""
    def us(key):
        return number(base[key]) * 1e6
    turn_around = us("gpu.queue.read_round_trip") / 2 - us("gpu.front_end.doorbell_latency")
    doorbell = max(about["host_read_us"] / 2 - turn_around, 0)
    launch = max(about["launch_to_start_us"] - doorbell, 0)
    after = max(about["end_to_return_us"] - us("gpu.block_scheduler.block_overhead"), 0)
    completion, wake = us("gpu.front_end.completion_latency"), us("host.wake_latency")
    seen = "by a CPU thread that watches what a kernel writes"
    yield ("gpu.queue.fence_round_trip", f"{about['host_fence_us']:.3g} us",
           "a block writes host memory and waits, clock of the SM")
    yield ("gpu.front_end.doorbell_latency", f"{doorbell:.3g} us",
           f"half of a read of host memory, {about['host_read_us']} us, less the turn-around of "
           "the base")
    for name in ("launch_latency", "copy_launch_latency"):
        yield (f"gpu.front_end.{name}", f"{launch:.3g} us",
               f"{about['launch_to_start_us']} us from the launch call to the first instruction, "
               f"seen {seen}, less the doorbell")
    share = completion / (completion + wake)
    how = (f"part of {about['end_to_return_us']} us from the last instruction to the return of a "
           f"synchronisation, seen {seen}, divided as in the base")
    yield "gpu.front_end.completion_latency", f"{after * share:.3g} us", how
    yield "host.wake_latency", f"{after * (1 - share):.3g} us", how
