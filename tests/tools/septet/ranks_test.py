"""What `septet run` says about the GPUs of a run with collectives, seen from outside.

Usage: ranks_test.py SEPTET
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SEPTET = sys.argv.pop(1)
SHIPPED = pathlib.Path(__file__).parents[3] / "scenarios" / "shipped"

TRAINING = """
[hardware]
gpu = "h200-sxm"
gpus = 8
traced_gpus = 2
[training]
seq_length = 1024
num_microbatches = 4
tensor_parallel_size = 2
pipeline_parallel_size = 2
data_parallel_size = 2
[training.model]
num_layers = 4
hidden_size = 1024
num_attention_heads = 16
num_query_groups = 8
ffn_hidden_size = 4096
vocab_size = 32768
"""
SLOW = """
[[training.slow]]
device = 5
factor = 1.5
"""
TIMES = ("compute", "communication", "waiting_for_ranks", "rest")


def run(*arguments):
    done = subprocess.run([SEPTET, "run", *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=True, timeout=120)
    return done.stdout


def run_text(text, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "scenario.toml"
        file.write_text(text, encoding="ascii")
        return run(file, *arguments)


class Ranks(unittest.TestCase):
    def test_the_late_rank_is_named(self):
        out = run(SHIPPED / "late-rank.toml")
        self.assertRegex(out, r"straggler: GPU 1; other GPUs waited 500\.0 us in 1 collective,")
        self.assertNotIn("gpu_busy", out)
        summary = json.loads(run(SHIPPED / "late-rank.toml", "--json"))["summary"]
        self.assertEqual(summary["ranks"]["straggler"]["gpu"], 1)
        self.assertAlmostEqual(summary["ranks"]["waiting_for_ranks"]["max_us"], 500, delta=0.1)
        self.assertEqual(summary["ranks"]["waiting_for_ranks"]["gpu"], 0)

    def test_categories_and_ranks_add_up_to_the_whole(self):
        for name in ("late-rank", "ddp-8", "ddp-64"):
            report = json.loads(run(SHIPPED / f"{name}.toml", "--json"))
            time = report["summary"]["attribution"]
            self.assertAlmostEqual(sum(part["time_us"] for part in time.values()),
                                   report["simulated_us"], delta=1e-3)
            ranks = report["summary"]["ranks"]
            self.assertAlmostEqual(sum(ranks[part]["share"] for part in TIMES), 1, places=9)
            for part in TIMES:
                self.assertLessEqual(ranks[part]["min_us"], ranks[part]["median_us"])
                self.assertLessEqual(ranks[part]["median_us"], ranks[part]["max_us"])

    def test_runs_without_collectives_say_nothing_of_ranks(self):
        out = run(SHIPPED / "eager-chain.toml")
        self.assertIn("gpu_busy", out)
        for word in ("compute ", "waiting", "1 GPU ", "communication"):
            self.assertNotIn(word, out)
        report = json.loads(run(SHIPPED / "eager-chain.toml", "--json"))
        self.assertNotIn("ranks", report["summary"])
        self.assertNotIn("communication", report["summary"]["critical_path"])

    def test_a_slow_gpu_is_named_though_it_is_not_traced(self):
        self.assertIn("no straggler", run_text(TRAINING))
        ranks = json.loads(run_text(TRAINING + SLOW, "--json"))["summary"]["ranks"]
        self.assertEqual(ranks["gpus"], 8)
        self.assertEqual(ranks["compute"]["gpu"], 5)
        self.assertEqual(ranks["straggler"]["gpu"], 5)

    def test_gpus_that_are_equally_late_are_counted(self):
        slow = SLOW + SLOW.replace("device = 5", "device = 4")  # of one tensor-parallel group
        straggler = json.loads(run_text(TRAINING + slow, "--json"))["summary"]["ranks"]["straggler"]
        self.assertIn(straggler["gpu"], (4, 5))
        self.assertEqual(straggler["gpus_alike"], 2)
        self.assertRegex(run_text(TRAINING + slow),
                         r"stragglers: GPU [45] and 1 more like it; other GPUs waited [0-9.]+ us")

    def test_traced_gpus_change_no_time(self):
        one = json.loads(run_text(TRAINING + SLOW, "--json"))
        all_of_them = json.loads(run_text(TRAINING + SLOW, "--json", "--set",
                                          "hardware.traced_gpus=8"))
        self.assertEqual(one["simulated_us"], all_of_them["simulated_us"])
        self.assertEqual(one["summary"]["training"], all_of_them["summary"]["training"])
        time = one["summary"]["attribution"]
        self.assertAlmostEqual(sum(part["time_us"] for part in time.values()),
                               one["simulated_us"], delta=1e-3)

    def test_a_run_that_was_cut_short_has_no_rate(self):
        cut = json.loads(run_text(TRAINING + '[run]\nend = "100 us"\n', "--json"))
        self.assertAlmostEqual(cut["simulated_us"], 100, delta=10)  # from the first call on
        self.assertGreater(cut["summary"]["unfinished"]["launches"], 0)
        self.assertNotIn("training", cut["summary"])

    def test_training_says_tokens_and_utilization(self):
        report = json.loads(run_text(TRAINING, "--json"))
        training = report["summary"]["training"]
        tokens = 1024 * 4 * 2
        self.assertEqual(training["tokens_per_step"], tokens)
        seconds = report["simulated_us"] * 1e-6
        self.assertAlmostEqual(training["tokens_per_s"] * seconds / tokens, 1, places=9)
        # Queries and output, keys and values, gate, up and down, head.
        matrices = 4 * (2 * 1024**2 + 2 * 1024 * 512 + 3 * 1024 * 4096) + 1024 * 32768
        flops = tokens * (6 * matrices + 12 * 4 * 1024 * 1024)
        self.assertEqual(training["model_flops_per_step"], flops)
        self.assertAlmostEqual(
            training["mfu"] * training["peak_flops_per_s_per_gpu"] * 8 * seconds / flops, 1,
            places=9)
        self.assertIn(" % of ", run_text(TRAINING))
        self.assertNotIn("training", json.loads(
            run(SHIPPED / "late-rank.toml", "--json"))["summary"])

    def test_what_ifs_show_tokens_beside_the_time_of_a_step(self):
        half = '[[what_if]]\nname = "half"\nset = { "training.num_microbatches" = 2 }\n'
        arguments = ("--what-if", "host-speed=2")
        report = json.loads(run_text(TRAINING + half, "--json", *arguments))
        tokens = [what_if["training"]["tokens_per_step"] for what_if in report["what_ifs"]]
        self.assertEqual(tokens, [1024 * 2 * 2, 1024 * 4 * 2])
        out = run_text(TRAINING + half, *arguments)
        self.assertRegex(out, r"what if +us +speed-up +tokens/s +compute ")
        for what_if in [report["summary"], *report["what_ifs"]]:
            self.assertRegex(out, rf"x +{what_if['training']['tokens_per_s']:.0f} ")
        self.assertNotIn("tokens/s", run(SHIPPED / "late-rank.toml"))

    def test_waiting_is_no_work_of_a_kernel(self):
        kernels = json.loads(run(SHIPPED / "late-rank.toml", "--json"))["summary"]["kernels"]
        self.assertEqual([kernel["name"] for kernel in kernels], ["compute", "all_reduce"])
        self.assertNotIn("waiting_us", kernels[0])
        self.assertAlmostEqual(kernels[1]["waiting_us"], 500, delta=0.1)
        working = [kernel["time_us"] for kernel in kernels]
        self.assertLess(working[1], kernels[1]["waiting_us"])
        self.assertAlmostEqual(kernels[1]["share"], working[1] / sum(working), places=9)


if __name__ == "__main__":
    unittest.main()
