"""Makes a node profile from what probe_node.py measured: PREFIX.toml from PREFIX.json and .jsonl.

Numbers that were measured say so; others are from the machine's own description, or from a shipped
profile, whose source is kept.
"""

import argparse
import json
import pathlib
import sys
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import profile_text  # noqa: E402  (found through the line above)

NODES = pathlib.Path(__file__).resolve().parents[3] / "data" / "nodes"
LARGE = 256 << 20  # bytes: copies at the link's full rate
EIGHTH = 1 / 8     # GB/s of a Gbit/s


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prefix")
    parser.add_argument("--base", default="hgx-h200", help="a shipped node (default hgx-h200)")
    options = parser.parse_args()
    node = json.loads(pathlib.Path(f"{options.prefix}.json").read_text(encoding="utf-8"))
    rows = read_rows(f"{options.prefix}.jsonl")
    base = tomllib.loads((NODES / f"{options.base}.toml").read_text(encoding="utf-8"))
    text = profile(node, rows, base, options.base)
    pathlib.Path(f"{options.prefix}.toml").write_text(text, encoding="utf-8")
    print(f"{options.prefix}.toml: put it into FOLDER/nodes and set SEPTET_DATA=FOLDER")


def read_rows(path):
    with open(path, encoding="utf-8") as file:
        return [row for row in map(json.loads, file) if "value" in row]


def profile(node, rows, base, base_name):
    numbers = {key: (entry["value"], f"{base_name}: {entry['source']}")
               for key, entry in base.items() if isinstance(entry, dict)}
    numbers["gpus"] = (len(node["gpus"]), "nvidia-smi")
    if node["gpus_per_cpu"]:
        numbers["gpus_per_cpu"] = (node["gpus_per_cpu"], "NUMA nodes of the GPUs in /sys")
    if node["pcie_gbps"]:
        numbers["pcie"] = (f"{node['pcie_gbps']:g} GB/s", "nvidia-smi: generation and width")
    if node["nics"]:
        share = sum(node["nics"]) * EIGHTH / len(node["nics"])
        numbers["nic"] = (f"{share:g} GB/s", "rate of the active adapters in /sys")
    numbers |= nvlink(node, rows)
    description = f"{len(node['gpus'])} {node['gpus'][0]}, measured by tools/probe/node"
    return profile_text.toml({"description": description}, numbers)


def nvlink(node, rows):
    """The links' own rate, which protocols don't reach; where it isn't told, that of copies."""
    if node["nvlinks"]:
        return {"nvlink": (f"{node['nvlinks']['gbps']:g} GB/s",
                           f"nvidia-smi nvlink: {node['nvlinks']['count']} links")}
    rate = copy_rate(rows)
    return {} if rate is None else {
        "nvlink": (f"{rate:.4g} GB/s", "our measurement: peer copies of 256 MiB and more")}


def copy_rate(rows):
    """GB/s between the two largest sizes, so that what every copy costs falls out."""
    times = sorted((row["case"]["bytes"], row["value"]) for row in rows
                   if row["case"].get("op") == "peer_copy" and row["case"]["bytes"] >= LARGE)
    if len(times) < 2:
        return None
    (small, short), (large, long) = times[0], times[-1]
    return (large - small) / ((long - short) * 1e3)


if __name__ == "__main__":
    main()
