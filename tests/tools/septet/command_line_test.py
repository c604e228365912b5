"""The whole command from outside: exit codes, streams, help, signals. The argument is `septet`."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SEPTET = sys.argv.pop(1) if len(sys.argv) > 1 else ""
ROOT = pathlib.Path(__file__).resolve().parents[3]
H200 = ROOT / "data" / "measurements" / "h200"


def run(*arguments, folder=None, **environment):
    """(exit code, standard output, standard error)"""
    done = subprocess.run([SEPTET, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False, env={**os.environ, **environment}, timeout=120,
                          cwd=folder)
    return done.returncode, done.stdout, done.stderr


def wait_until_caught(pid, number):
    """Returns when the process has a handler for the signal, which it installs at its start."""
    while True:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            mask = re.search(r"^SigCgt:\s*([0-9a-f]+)", file.read(), re.MULTILINE).group(1)
        if int(mask, 16) >> (number - 1) & 1:
            return
        time.sleep(0.01)


def names_in(help_text):
    return re.findall(r"^  ([a-z]+)  ", help_text.split("Commands:")[1], re.MULTILINE)


def help_of(*names):
    """From the source tree: elsewhere examples name files by paths that may be of any length."""
    return run(*names, "--help", folder=ROOT)


class CommandLine(unittest.TestCase):
    def test_help_names_every_command_and_each_explains_itself(self):
        code, out, err = run("--help")
        self.assertEqual((code, err), (0, ""))
        names = names_in(out)
        self.assertIn("export", names)
        for name in names:
            code, out, err = help_of(name)
            self.assertEqual((code, err), (0, ""), name)
            self.assertTrue(out.startswith(f"Usage: septet {name} "), out)
            if "Commands:" not in out:
                self.assert_is_complete_help(name, out)

    def test_each_benchmark_explains_itself(self):
        for name in names_in(run("bench", "--help")[1]):
            code, out, _ = help_of("bench", name)
            self.assertEqual(code, 0)
            self.assert_is_complete_help(f"bench {name}", out)

    def assert_is_complete_help(self, name, out):
        for part in ("Options:", f"Example:\n  septet {name}", "Exit codes:\n  0 "):
            self.assertIn(part, out, name)
        self.assertLessEqual(max(map(len, out.splitlines())), 100, name)

    def test_version(self):
        code, out, _ = run("--version")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^septet \d+\.\d+\.\d+ \(commit \w+\+?\)\n"
                              r"compiler: .+\nlibraries: .+\n$")

    def test_wrong_command_lines_are_usage_errors(self):
        for arguments in ([], ["exprot"], ["--nonsense"], ["export"], ["bench"],
                          ["bench", "phold", "--lps", "-1"], ["export", "a.h5", "--form", "csv"]):
            code, out, err = run(*arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertTrue(err.startswith("septet: error: "), arguments)
            self.assertIn("--help'.", err, arguments)

    def test_wrong_values_of_options_are_mistakes_of_the_command_line(self):
        recording = str(H200 / "traces" / "mlp-train-batch64-graph.json.gz")
        rows = str(H200 / "queue.jsonl")
        for arguments in (["replay", recording, "--what-if", "nonsense"],
                          ["replay", recording, "--what-if", "host-speed=fast"],
                          ["replay", recording, "--gpu", "h2000"],
                          ["replay", recording, "--target-gpu", "h2000"],
                          ["validate", rows, "--set", "gpu.clok=1 GHz"],
                          ["validate", rows, "--set", "gpu.clock=1 apple"],
                          ["validate", rows, "--hardware", "h2000"]):
            code, out, err = run(*arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(f"error: {arguments[2]}: ", err)

    def test_numbers_out_of_range_are_mistakes_of_the_command_line(self):
        for arguments in (["phold", "--mean", "1", "--lookahead", "2"], ["cluster", "--step", "0"],
                          ["kernels", "--launches", "5", "--kernels", "6"],
                          ["hold", "--mean", "1 us", "--lookahead", "2 us"]):
            code, out, err = run("bench", *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertRegex(err, r"error: --[a-z]+: got .*, wanted ")

    def test_guessed_numbers_are_said_wherever_a_gpu_is_chosen(self):
        recording = str(H200 / "traces" / "mlp-train-batch64-graph.json.gz")
        rows = str(H200 / "queue.jsonl")
        text = "b200-sxm: "
        report = json.loads(run("replay", recording, "--target-gpu", "b200-sxm", "--json")[1])
        self.assertIn("warning: " + text, "".join(report["what_ifs"][0]["notes"]))
        self.assertEqual(report["warnings"], [])
        for arguments in (["validate", rows, "--hardware"], ["replay", recording, "--gpu"]):
            code, out, err = run(*arguments, "b200-sxm", "--json")
            self.assertEqual(code, 0)
            self.assertIn("septet: warning: " + text, err)
            self.assertIn(text, json.loads(out)["warnings"][0])

    def test_a_broken_profile_is_named_with_its_line(self):
        recording = str(H200 / "traces" / "mlp-train-batch64-graph.json.gz")
        with tempfile.TemporaryDirectory() as folder:
            mine = pathlib.Path(folder) / "mine.toml"
            mine.write_text('kind = "gpu"\ndescription = "d"\nbase = "h200-sxm"\n'
                            'base_note = "nearest"\nsm_count = 7\n')
            for option in ("--gpu", "--target-gpu", "--what-if"):
                name = f"gpu={mine}" if option == "--what-if" else str(mine)
                code, out, err = run("replay", recording, option, name)
                self.assertEqual((code, out), (3, ""), option)
                self.assertIn(f"error: {mine}:5:", err)

    def test_an_option_that_was_renamed_is_refused_with_its_new_name(self):
        recording = str(H200 / "traces" / "mlp-train-batch64-graph.json.gz")
        code, out, err = run("replay", recording, "--hardware", "h200-sxm")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("unknown option '--hardware' ('--hardware' is now called '--gpu')", err)

    def test_keys_that_were_renamed_are_refused_with_their_new_names(self):
        scenario = str(ROOT / "scenarios" / "shipped" / "ddp-2.toml")
        for before, now in (("micro_batch", "micro_batch_size"), ("sharded", "zero_stage"),
                            ("model.feed_forward", "model.ffn_hidden_size")):
            code, out, err = run("config", scenario, "--set", f"training.{before}=1")
            self.assertEqual((code, out), (2, ""), before)
            before, now = before.split(".")[-1], now.split(".")[-1]
            self.assertIn(f"('{before}' is now called '{now}')", err)

    def test_config_checks_the_network_as_a_run_does(self):
        shipped = ROOT / "scenarios" / "shipped" / "eager-chain.toml"
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "network.toml"
            file.write_text(shipped.read_text(encoding="utf-8") + '[network]\nshape = "rong"\n')
            refused = run("run", str(file))
            self.assertEqual(refused[0], 3)
            self.assertIn('network.shape: got "rong"', refused[2])
            self.assertEqual(run("config", str(file)), refused)

    def test_a_replay_on_another_gpu_than_was_recorded_says_so(self):
        recording = str(H200 / "traces" / "mlp-train-batch64-graph.json.gz")
        _, _, err = run("replay", recording, "--gpu", "h100-sxm")
        self.assertIn("but --gpu is h100-sxm; to replay it on another GPU, use --target-gpu", err)
        self.assertNotIn("warning", run("replay", recording, "--gpu", "h200-sxm")[2])

    def test_the_file_of_a_profile_stands_for_its_name(self):
        shipped = ROOT / "data" / "hardware"
        with tempfile.TemporaryDirectory() as folder:
            mine = pathlib.Path(folder) / "mine.toml"
            text = (shipped / "h200-sxm.toml").read_text(encoding="utf-8")
            host = f'host = "{shipped / "xeon-h200-host.toml"}"'
            mine.write_text(text.replace('host = "xeon-h200-host"', host), encoding="utf-8")
            self.assertIn("mine: NVIDIA H200", run("hardware", str(mine))[1])
            rows = str(H200 / "queue.jsonl")
            own = self.rows_of("validate", rows, "--json", "--hardware", str(mine))
            self.assertEqual(own, self.rows_of("validate", rows, "--json"))
        self.assertEqual(run("hardware", str(mine))[0], 3)  # it is gone

    def rows_of(self, *arguments):
        """The rows of a result: what it came from says which file was used."""
        code, out, _ = run(*arguments)
        self.assertEqual(code, 0)
        return json.loads(out)["rows"]

    def test_suggestions(self):
        self.assertIn("did you mean 'export'", run("exprot")[2])
        self.assertIn("did you mean '--format'", run("export", "a.h5", "--fromat", "csv")[2])

    def test_missing_input(self):
        code, out, err = run("export", "nowhere.h5")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("nowhere.h5", err)

    def test_errors_as_json(self):
        code, out, err = run("export", "nowhere.h5", "--json")
        self.assertEqual(code, 3)
        error = json.loads(out)["error"]
        self.assertEqual((error["kind"], error["exit_code"], error["file"]),
                         ("input", 3, "nowhere.h5"))
        self.assertNotEqual(err, "")

    def test_a_program_that_hangs_is_explained(self):
        shipped = os.path.join(os.path.dirname(__file__), "..", "..", "..", "scenarios", "shipped")
        code, out, err = run("run", os.path.join(shipped, "deadlock.toml"))
        self.assertEqual((code, out), (1, ""))
        self.assertIn("deadlock.toml: the program cannot continue:\n", err)
        for part in ("kernel 'server' of call 0 has done 3 of 4 items and waits for 1 more from "
                     "queue 'work'", "would push the next one in call 5", "(a cycle)"):
            self.assertIn(part, err)

    def test_a_run_that_is_cut_short_says_what_it_left_out(self):
        chain = str(ROOT / "scenarios" / "shipped" / "eager-chain.toml")
        whole = json.loads(run("run", chain, "--json")[1])
        self.assertEqual(whole["summary"]["unfinished"],
                         {"launches": 0, "of_launches": 200, "calls": 0})
        self.assertNotIn("stopped at run.end", run("run", chain)[1])
        cut = ("run", chain, "--set", "run.end=100 us")
        report = json.loads(run(*cut, "--json")[1])
        left = report["summary"]["unfinished"]["launches"]
        self.assertEqual(left, 200 - report["summary"]["gpu_commands"])
        self.assertGreater(left, 0)
        text = run(*cut)[1]
        self.assertIn(f"stopped at run.end: {left} of 200 launches have not completed", text)
        self.assertIn("longer kernels:\n  stopped at run.end: ", text)

    def test_several_profiles_are_one_list_of_json_or_none(self):
        code, out, _ = run("hardware", "h200-sxm", "h100-sxm", "--json")
        self.assertEqual(code, 0)
        self.assertEqual([profile["name"] for profile in json.loads(out)], ["h200-sxm", "h100-sxm"])
        self.assertEqual(json.loads(run("hardware", "h200-sxm", "--json")[1])["name"], "h200-sxm")
        self.assertEqual(run("hardware", "h200-sxm", "nope")[1], "")

    def test_a_folder_of_claims_is_evaluated(self):
        scenarios = os.path.join(os.path.dirname(__file__), "..", "..", "..", "scenarios")
        article = os.path.join(scenarios, "article")
        code, out, err = run("run", article, "--json")
        self.assertEqual((code, err), (0, ""))
        claims = json.loads(out)["claims"]
        files = [name for name in os.listdir(article) if name.endswith(".toml")]
        self.assertEqual(sorted(claim["name"] + ".toml" for claim in claims), sorted(files))
        self.assertIn(f"\n{len(files)} claims: ", run("run", article)[1])
        code, out, err = run("run", article, "--what-if", "one-stream")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("claims take no --what-if", err)
        code, out, err = run("run", scenarios)
        self.assertEqual((code, out), (3, ""))
        self.assertIn("scenarios: holds no scenario (*.toml)", err)

    def test_no_color_codes_outside_of_a_terminal(self):
        self.assertNotIn("\x1b", run("nonsense")[2])

    def test_a_full_disk_is_not_success(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([SEPTET, "--help"], stdout=full, stderr=subprocess.PIPE,
                                  check=False)
        self.assertEqual(done.returncode, 1)

    def test_signals_end_it_with_75(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            # Far more holds than this test waits for.
            process = subprocess.Popen([SEPTET, "bench", "hold", "--holds", "100000000000"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            wait_until_caught(process.pid, number)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out, err), (75, "", "septet: interrupted\n"))


if __name__ == "__main__":
    unittest.main()
