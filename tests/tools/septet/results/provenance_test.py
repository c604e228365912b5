"""Every output says where it comes from, and is the same bytes wherever the run is made."""

import hashlib
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import h5py

import faulty

RECORDING = faulty.ROOT / "data/measurements/h200/traces/gpt2-batch1-seq1-graph.json.gz"
STABLE = {"trace.h5", "timeline.pftrace", "summary.txt", "summary.json", "what_ifs.svg"}


def result(folder, name, words, *options):
    """{file: bytes} of a command called in a folder, and what it printed as JSON."""
    out = folder / name
    done = subprocess.run([faulty.SEPTET, *words, "--json", "--quiet", "--output-dir", str(out),
                           *options], stdout=subprocess.PIPE, check=True, cwd=folder, timeout=120)
    return faulty.contents(out), json.loads(done.stdout)


class Provenance(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.one = pathlib.Path(temporary.name).resolve() / "one"
        self.two = pathlib.Path(temporary.name).resolve() / "another" / "place"
        for folder in (self.one, self.two):
            folder.mkdir(parents=True)
            (folder / "scenario.toml").write_text(faulty.SCENARIO, encoding="ascii")
            shutil.copy(RECORDING, folder)
            shipped = faulty.ROOT / "data" / "hardware"
            host = f'host = "{shipped / "xeon-h200-host.toml"}"'
            mine = (shipped / "h200-sxm.toml").read_text(encoding="utf-8")
            (folder / "mine.toml").write_text(mine.replace('host = "xeon-h200-host"', host),
                                              encoding="utf-8")

    def commands(self, folder):
        """Absolute and relative names of the same files."""
        mine = folder / "mine.toml"
        yield (["run", str(folder / "scenario.toml"), "--what-if", f"gpu={mine}",
                "--set", f'hardware.gpu="{mine}"'])
        yield ["replay", str(folder / RECORDING.name), "--what-if", "cuda-graphs", "--gpu",
               str(mine)]

    def test_the_same_input_gives_the_same_bytes_in_any_folder(self):
        for first, second in zip(self.commands(self.one), self.commands(self.two)):
            mine, _ = result(self.one, "out", first)
            others, _ = result(self.two, "elsewhere", second, "--threads", "2")
            self.assertEqual(set(mine), STABLE | {"provenance.json"})
            for name in STABLE:
                self.assertEqual(mine[name], others[name], name)
                for folder in (self.one, self.two, faulty.ROOT):
                    self.assertNotIn(f"{folder}/".encode(), mine[name], name)

    def test_inputs_are_named_with_their_hashes(self):
        for words in self.commands(self.one):
            files, printed = result(self.one, "out", words)
            summary = json.loads(files["summary.json"])["provenance"]
            path = pathlib.Path(words[1])
            first = summary["inputs"][0]
            self.assertEqual((first["file"], first["size_bytes"], first["sha256"]),
                             (path.name, path.stat().st_size,
                              hashlib.sha256(path.read_bytes()).hexdigest()))
            self.assertEqual([one["role"] for one in summary["inputs"][1:]],
                             ["GPU profile", "host profile"])
            self.assertIn(first["sha256"].encode(), files["summary.txt"])
            self.assertEqual(summary["digest"], printed["digest"])
            for key in ("version", "commit", "gpu", "host", "seed", "settings"):
                self.assertEqual(summary[key], printed["provenance"][key])

    def test_the_trace_says_the_same(self):
        words = next(self.commands(self.one))
        _, printed = result(self.one, "out", words)
        told = printed["provenance"]
        with h5py.File(self.one / "out" / "trace.h5") as file:
            for name, key in (("tool_version", "version"), ("commit", "commit"), ("gpu", "gpu"),
                              ("host", "host"), ("seed", "seed"), ("digest", "digest")):
                self.assertEqual(file.attrs[name], told[key])
            inputs = [(row["file"].decode(), row["sha256"].decode()) for row in file["inputs"]]
            resolved = file["meta/scenario_toml"][()].decode()
        self.assertEqual(inputs, [(one["file"], one["sha256"]) for one in told["inputs"]])
        self.assertIn('gpu = "mine.toml"', resolved)

    def test_what_varies_is_in_one_file_alone(self):
        words = next(self.commands(self.one))
        files, printed = result(self.one, "out", words, "--threads", "2")
        varying = json.loads(files["provenance.json"])
        self.assertEqual(varying, printed["provenance"])
        self.assertEqual(varying["threads"], 2)
        self.assertEqual(varying["command_line"][:3], ["septet", *words[:2]])
        self.assertGreater(varying["wall_s"], 0)
        self.assertNotIn("wall_s", json.loads(files["summary.json"]))


if __name__ == "__main__":
    unittest.main()
