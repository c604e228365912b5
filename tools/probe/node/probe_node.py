"""Measures a node of 2 to 8 GPUs; see README.md beside this file."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import cases
import system

EXIT_USAGE = 2
EXIT_MACHINE = 3
MOST_GPUS = 8


def main():
    options = read_options()
    if options.rank is not None:  # one of the processes that measure
        return measure(options)
    if options.dry_run:
        return dry_run(options)
    missing = what_is_missing(options.gpus)
    if missing:
        print(f"probe_node: {missing}; --dry-run shows what would be measured", file=sys.stderr)
        return EXIT_MACHINE
    return run_passes(options)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prefix", help="of PREFIX.jsonl and PREFIX.json")
    parser.add_argument("--gpus", type=int, help="default: all; 2 to 8 (a dry run: 8)")
    parser.add_argument("--only", default=",".join(cases.PARTS), metavar="PART,...",
                        help=f"of {', '.join(cases.PARTS)}")
    parser.add_argument("--seconds", type=float, default=540, help="at most (default 540)")
    parser.add_argument("--dry-run", action="store_true",
                        help="write the rows without values; needs neither GPU nor PyTorch")
    parser.add_argument("--rank", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--nvls", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--until", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.only = options.only.split(",")
    unknown = [part for part in options.only if part not in cases.PARTS]
    if unknown:
        parser.error(f"--only: got '{unknown[0]}', wanted some of {', '.join(cases.PARTS)}")
    if options.gpus is None:
        options.gpus = MOST_GPUS if options.dry_run else min(MOST_GPUS, gpu_count())
    elif not 2 <= options.gpus <= MOST_GPUS:
        parser.error(f"--gpus: got {options.gpus}, wanted 2 to {MOST_GPUS}")
    return options


def gpu_count():
    return len(system.query("name"))


def what_is_missing(gpus):
    """Why nothing can be measured here; empty where all is there."""
    try:
        import torch
    except ImportError:
        return "PyTorch is missing: this Python cannot import torch"
    if not torch.cuda.is_available():
        return "PyTorch finds no GPU"
    if not torch.distributed.is_nccl_available():
        return "this PyTorch has no NCCL"
    found = torch.cuda.device_count()
    if gpus < 2 or found < gpus:
        return f"got {found} GPUs, wanted at least {max(2, gpus)}"
    return ""


def dry_run(options):
    rows = [row for nvls in (False, True)
            for case in cases.all_cases(options.gpus, nvls, options.only) for row in case.rows()]
    write_rows(rows, options.prefix)
    print(f"{len(rows)} rows would be measured on {options.gpus} GPUs: {options.prefix}.jsonl")
    return 0


def write_rows(rows, prefix):
    with open(f"{prefix}.jsonl", "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")


def run_passes(options):
    """Each pass has its own processes: NCCL reads its environment once."""
    node = system.describe() | {"measured_gpus": options.gpus}
    pathlib.Path(f"{options.prefix}.json").write_text(json.dumps(node, indent=2) + "\n")
    until = time.time() + options.seconds
    rows = run_pass(options, False, until)
    if "collectives" in options.only and supports_nvls():
        rows += run_pass(options, True, until)
    write_rows(rows, options.prefix)
    print(f"{len(rows)} rows: {options.prefix}.jsonl")
    return 0


def supports_nvls():
    """Whether the driver offers multicast among the GPUs, without which NCCL leaves NVLS off."""
    import ctypes
    multicast_supported = 132  # CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    value = ctypes.c_int(0)
    if driver.cuInit(0) != 0:
        return False
    failed = driver.cuDeviceGetAttribute(ctypes.byref(value), multicast_supported, 0)
    return failed == 0 and value.value == 1


def run_pass(options, nvls, until):
    """Rows of rank 0. A rank that fails ends the others, and the rows so far are kept."""
    environment = os.environ | {"NCCL_NVLS_ENABLE": "1" if nvls else "0",
                                "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29517",
                                "WORLD_SIZE": str(options.gpus)}
    command = [sys.executable, __file__, options.prefix, "--gpus", str(options.gpus), "--only",
               ",".join(options.only), "--until", str(until)] + (["--nvls"] if nvls else [])
    ranks = [subprocess.Popen([*command, "--rank", str(rank)], text=True,
                              stdout=subprocess.PIPE if rank == 0 else subprocess.DEVNULL,
                              env=environment | {"RANK": str(rank)})
             for rank in range(options.gpus)]
    rows = []
    for line in ranks[0].stdout:
        rows.append(json.loads(line))
    if any(rank.wait() != 0 for rank in reversed(ranks)):
        print(f"probe_node: a process failed; {len(rows)} rows of this pass are kept",
              file=sys.stderr)
    return rows


def measure(options):
    """Every case in turn, on all ranks at once; rank 0 prints rows."""
    import torch
    import torch.distributed as dist
    torch.cuda.set_device(options.rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", options.rank))
    left_out = 0
    for case in cases.all_cases(options.gpus, options.nvls, options.only):
        if is_late(options.until):
            left_out += 1
            continue
        values, count = runner_of(case.part)(case, options.rank, options.gpus)
        torch.cuda.empty_cache()
        if options.rank == 0:
            for row in case.rows(values, count):
                print(json.dumps(row), flush=True)
    if left_out and options.rank == 0:
        print(f"probe_node: no time for {left_out} cases (--seconds)", file=sys.stderr)
    dist.barrier()
    dist.destroy_process_group()
    return 0


def runner_of(part):
    import collectives
    import links
    import steps
    import training
    return {"links": links.run, "collectives": collectives.run, "tensor": steps.run,
            "overlap": collectives.run_overlap, "training": training.run}[part]


def is_late(until):
    """The same answer on all ranks: as soon as one of them is late."""
    import torch
    import torch.distributed as dist
    late = torch.tensor([time.time() > until], device="cuda", dtype=torch.int32)
    dist.all_reduce(late, dist.ReduceOp.MAX)
    return late.item() > 0


if __name__ == "__main__":
    sys.exit(main())
