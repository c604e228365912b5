"""What a node is made of: GPUs, their links, the CPUs behind them, network adapters."""

import pathlib
import re
import subprocess


def describe():
    """{"gpus": [name], "nvlinks", "gpus_per_cpu", "pcie_gbps", "nics": [Gbit/s], "driver"}; what
    can't be told is None."""
    listed = query("name,driver_version,pcie.link.gen.max,pcie.link.width.max,pci.bus_id")
    return {"gpus": [row[0] for row in listed],
            "driver": listed[0][1] if listed else None,
            "nvlinks": nvlinks(run(["nvidia-smi", "nvlink", "--status", "-i", "0"])),
            "pcie_gbps": pcie_rate(*listed[0][2:4]) if listed else None,
            "gpus_per_cpu": gpus_per_cpu([numa_node(row[4]) for row in listed]),
            "nics": adapters(pathlib.Path("/sys/class/infiniband"))}


def run(command):
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def query(fields):
    text = run(["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader"])
    return [[cell.strip() for cell in line.split(",")] for line in text.splitlines()]


def nvlinks(status):
    """{"count", "gbps"}: active links of a GPU and their rate per direction, in GB/s."""
    rates = [float(rate) for rate in re.findall(r"Link \d+: ([0-9.]+) GB/s", status)]
    return {"count": len(rates), "gbps": sum(rates)} if rates else None


def pcie_rate(generation, width):
    """GB/s per direction, without packets: 128 of 130 bits carry data from generation 3 on."""
    transfers = {"3": 8, "4": 16, "5": 32, "6": 64}.get(generation)
    if transfers is None or not width.isdigit():
        return None
    return transfers * int(width) / 8


def numa_node(bus):
    """-1 where the machine doesn't say."""
    name = bus.lower()[-12:]
    path = pathlib.Path("/sys/bus/pci/devices") / name / "numa_node"
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return -1


def gpus_per_cpu(nodes):
    """None where GPUs don't say, or are spread unevenly."""
    counts = {nodes.count(node) for node in nodes}
    return counts.pop() if len(counts) == 1 and -1 not in nodes else None


def adapters(folder):
    """Rates of active adapters, in Gbit/s."""
    out = []
    for path in sorted(folder.glob("*/ports/*/rate")):
        found = re.match(r"(\d+)", path.read_text())
        if found and "ACTIVE" in (path.parent / "state").read_text():
            out.append(int(found.group(1)))
    return out
