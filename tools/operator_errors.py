#!/usr/bin/env python3
"""The model's errors on the measured operators, for warnings of `septet explain`.

usage: operator_errors.py SEPTET > data/fit/operator_errors.jsonl

SEPTET is the command. Run it after a change of the operators' models; one line a row of
data/measurements/h200/op*.jsonl that the model answers: operator, type, shape, error in percent.
"""
import glob
import json
import pathlib
import subprocess
import sys

BESIDE = {"op", "dtype", "l2", "timer", "layout", "kernel_source"}


def shape_of(case):
    shape = {key: value for key, value in case.items() if key not in BESIDE}
    if "elements" in shape and "cols" in shape:  # of a matrix
        shape["rows"] = shape.pop("elements") / shape["cols"]
    elif "rows" in shape and "cols" in shape:  # or of operands
        shape["elements"] = shape["rows"] * shape["cols"]
    for row_key, key in (("kernel", "kernel_size"), ("k", "top")):
        if row_key in shape and (row_key != "k" or case["op"] == "topk"):
            shape[key] = shape.pop(row_key)
    return {key: float(value) for key, value in shape.items()}


def main():
    data = pathlib.Path(__file__).resolve().parent.parent / "data"
    files = sorted(glob.glob(str(data / "measurements" / "h200" / "op*.jsonl")))
    files = [name for name in files if pathlib.Path(name).stem in ("op", "op_more")]
    found = subprocess.run([sys.argv[1], "validate", *files, "--json"], check=True,
                           capture_output=True, text=True)
    for row in json.loads(found.stdout)["rows"]:
        if row["error_pct"] is None:
            continue
        case = row["case"]
        print(json.dumps({"op": case["op"], "dtype": case["dtype"], "shape": shape_of(case),
                          "error_pct": round(row["error_pct"], 1)}))


if __name__ == "__main__":
    main()
