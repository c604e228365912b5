"""The whole command from outside: exit codes, streams, help, signals. The argument is `septet`."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest

SEPTET = sys.argv.pop(1) if len(sys.argv) > 1 else ""


def run(*arguments, **environment):
    """(exit code, standard output, standard error)"""
    done = subprocess.run([SEPTET, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False, env={**os.environ, **environment}, timeout=120)
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


class CommandLine(unittest.TestCase):
    def test_help_names_every_command_and_each_explains_itself(self):
        code, out, err = run("--help")
        self.assertEqual((code, err), (0, ""))
        names = names_in(out)
        self.assertIn("export", names)
        for name in names:
            code, out, err = run(name, "--help")
            self.assertEqual((code, err), (0, ""), name)
            self.assertTrue(out.startswith(f"Usage: septet {name} "), out)
            if "Commands:" not in out:
                self.assert_is_complete_help(name, out)

    def test_each_benchmark_explains_itself(self):
        for name in names_in(run("bench", "--help")[1]):
            code, out, _ = run("bench", name, "--help")
            self.assertEqual(code, 0)
            self.assert_is_complete_help(f"bench {name}", out)

    def assert_is_complete_help(self, name, out):
        for part in ("Options:", f"Example:\n  septet {name}", "Exit codes:\n  0 "):
            self.assertIn(part, out, name)
        self.assertLessEqual(max(map(len, out.splitlines())), 100, name)

    def test_version(self):
        code, out, _ = run("--version")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^septet \d+\.\d+\.\d+\n$")

    def test_wrong_command_lines_are_usage_errors(self):
        for arguments in ([], ["exprot"], ["--nonsense"], ["export"], ["bench"],
                          ["bench", "phold", "--lps", "-1"], ["export", "a.h5", "--form", "csv"]):
            code, out, err = run(*arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertTrue(err.startswith("septet: error: "), arguments)
            self.assertIn("--help'.", err, arguments)

    def test_suggestions(self):
        self.assertIn("did you mean 'export'", run("exprot")[2])
        self.assertIn("did you mean 'format'", run("export", "a.h5", "--fromat", "csv")[2])

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

    def test_bench_phold_prints_json_whose_digest_does_not_depend_on_threads(self):
        digests = set()
        for threads in ("1", "2", "3"):
            code, out, _ = run("bench", "phold", "--lps", "64", "--end", "20 us", "--json",
                               "--threads", threads)
            self.assertEqual(code, 0)
            report = json.loads(out)
            self.assertGreater(report["events"], 64)
            self.assertGreater(report["events_per_s"], 0)
            digests.add((report["events"], report["digest"]))
        self.assertEqual(len(digests), 1)

    def test_a_program_that_hangs_is_explained(self):
        shipped = os.path.join(os.path.dirname(__file__), "..", "..", "..", "scenarios", "shipped")
        code, out, err = run("run", os.path.join(shipped, "deadlock.toml"))
        self.assertEqual((code, out), (1, ""))
        self.assertIn("deadlock.toml: the program cannot go on:\n", err)
        for part in ("kernel 'server' of call 0 has done 3 of 4 items and waits for 1 more from "
                     "queue 'work'", "would push the next one in call 5", "(a circle)"):
            self.assertIn(part, err)

    def test_a_folder_of_claims_is_judged(self):
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
