"""Every shipped serving scenario with its what-ifs, and every capacity search, gives the summary
recorded in serving_golden.json. After a change of a model that is meant to change results:

    SEPTET_UPDATE_GOLDEN=1 python3 serving_golden_test.py build/release/tools/septet/septet

writes the file anew; look at the difference before committing it.
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SHIPPED = HERE.parents[2] / "scenarios" / "shipped"
GOLDEN = HERE / "serving_golden.json"
SEPTET = ""
# A search of all its seeds takes a minute.
SMALLER = ["--set", "search.seeds=1", "--set", "arrivals.requests=200"]


def septet(command, file, *words):
    done = subprocess.run([SEPTET, command, str(file), "--json", *words], capture_output=True,
                          text=True, timeout=900, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{file.name}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def of_summary(summary):
    latency = summary["latency_ms"]
    return {"completed": summary["requests"]["completed"],
            "ttft_p99_ms": round(latency["ttft"]["p99"], 3),
            "tpot_p50_ms": round(latency["tpot"]["p50"], 4),
            "kv_blocks": summary["memory"]["kv_blocks"]}


def of_serving(file, *words):
    result = septet("run", file, *words)
    out = {"digest": result["digest"], "events": result["events"], **of_summary(result["summary"])}
    out["what_ifs"] = {one["name"]: of_summary(one["summary"]) for one in result["what_ifs"]}
    return out


def of_capacity(file):
    result = septet("capacity", file, *SMALLER)
    best = result["best"]
    return {"gpus": best["gpus"], "tensor_parallel_size": best["tensor_parallel_size"],
            "worst_share": round(best["worst_share"], 4), "headroom": round(result["headroom"], 4),
            "candidates": len(result["candidates"]), **of_summary(result["summary"])}


def names(folder):
    return sorted((SHIPPED / folder).glob("*.toml"))


class Golden(unittest.TestCase):
    maxDiff = None

    def test_shipped_scenarios_give_the_recorded_summaries(self):
        now = {"serving": {file.stem: of_serving(file) for file in names("serving")},
               "capacity": {file.stem: of_capacity(file) for file in names("capacity")}}
        if "SEPTET_UPDATE_GOLDEN" in os.environ:
            GOLDEN.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
            self.skipTest(f"wrote {GOLDEN}")
        self.assertEqual(now, json.loads(GOLDEN.read_text(encoding="utf-8")))

    def test_threads_make_no_difference(self):
        file = SHIPPED / "serving" / "replicas-8.toml"
        self.assertEqual(of_serving(file, "--threads", "4"), of_serving(file))


if __name__ == "__main__":
    SEPTET = sys.argv.pop(1)
    unittest.main()
