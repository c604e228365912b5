"""Mistakes are exceptions that say where, what was found and what is wanted."""

import copy
import pathlib
import tempfile
import unittest

import septet
from command import CHAIN


def changed(**kernel):
    out = copy.deepcopy(CHAIN)
    out["kernel"][0].update(kernel)
    return out


class Errors(unittest.TestCase):
    def test_of_a_file_name_the_line(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "wrong.toml"
            file.write_text('[hardware]\ngpu = "h200-sxm"\nconnections = "many"\n')
            with self.assertRaises(septet.ConfigError) as caught:
                septet.run(file)
        error = caught.exception
        self.assertEqual((error.file, error.line), (str(file), 3))
        self.assertEqual(error.key, "hardware.connections")
        self.assertEqual(error.got, '"many"')
        self.assertIn("number", error.wanted)
        self.assertIn(f"{file}:3:", str(error))

    def test_of_a_dict_name_the_scenario(self):
        with self.assertRaises(septet.ConfigError) as caught:
            septet.run(septet.Scenario(changed(block_time="2"), name="mine"))
        self.assertEqual((caught.exception.file, caught.exception.line), ("mine", None))
        self.assertEqual(caught.exception.key, "kernel.step.block_time")

    def test_of_a_key_say_what_was_meant(self):
        with self.assertRaisesRegex(septet.ConfigError, "did you mean 'block_time'"):
            septet.run(changed(blocktime="2 us"))

    def test_of_values_that_toml_has_not(self):
        with self.assertRaisesRegex(septet.ConfigError, "kernel.0.grid: got a value of type None"):
            septet.run(changed(grid=None))
        with self.assertRaisesRegex(septet.ConfigError, "keys of type str"):
            septet.run({1: 2})
        with self.assertRaisesRegex(septet.ConfigError, "a number of 64 bits"):
            septet.run(changed(grid=2**64))

    def test_of_settings_and_what_ifs(self):
        with self.assertRaisesRegex(septet.ConfigError, "nothing"):
            septet.run(CHAIN, set={"kernel.nothing.grid": 1})
        with self.assertRaisesRegex(septet.ConfigError, "cuda-graphs"):
            septet.run(CHAIN, what_ifs=["cuda-graph"])

    def test_of_the_model(self):
        with self.assertRaises((septet.ConfigError, septet.ModelError)):
            septet.run(changed(registers=255, block=1024))
        waits = copy.deepcopy(CHAIN)
        waits["thread"][0]["steps"].append({"wait_signal": "never"})
        with self.assertRaises((septet.ConfigError, septet.ModelError)):
            septet.run(waits)

    def test_of_options(self):
        with self.assertRaises(septet.ConfigError) as caught:
            septet.occupancy(block=256, registers=40, grid="many")
        self.assertEqual(caught.exception.key, "--grid")
        with self.assertRaisesRegex(septet.ConfigError, "did you mean"):
            septet.occupancy(block=256, register=40)
        with self.assertRaisesRegex(ValueError, "threads: got -1"):
            septet.run(CHAIN, threads=-1)

    def test_of_what_ifs_that_fail_can_wait(self):
        bad = {"what_if": [{"name": "huge", "set": {"kernel.step.registers": 255,
                                                    "kernel.step.block": 1024}}]}
        with self.assertRaises((septet.ConfigError, septet.ModelError)):
            septet.run({**CHAIN, **bad})

    def test_of_files_that_are_not_there(self):
        with self.assertRaises(septet.ConfigError) as caught:
            septet.run("nowhere.toml")
        self.assertEqual(caught.exception.file, "nowhere.toml")


if __name__ == "__main__":
    unittest.main()
