"""What the probe measured becomes a profile in which every number says where it comes from."""

import contextlib
import io
import json
import pathlib
import shutil
import sys
import tempfile
import tomllib
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools" / "probe"))

import direct  # noqa: E402  (found through the line above)
import make_profile  # noqa: E402
import profile_text  # noqa: E402
import profiles  # noqa: E402
import rows  # noqa: E402

HARDWARE = ROOT / "data" / "hardware"
EVIDENCE = ROOT / "data" / "measurements" / "h200" / "probe"
DATA_SHEET = {  # of the H200 and of the A100, as device attributes
    "h200-sxm": {"sm_count": 132, "l2_bytes": 60 << 20, "clock_ghz": 1.98,
                 "memory_clock_khz": 3201000, "memory_bus_bits": 6016, "threads_per_sm": 2048,
                 "shared_per_sm": 228 << 10},
    "a100-sxm-80gb": {"sm_count": 108, "l2_bytes": 40 << 20, "clock_ghz": 1.41,
                      "memory_clock_khz": 1593000, "memory_bus_bits": 5120, "threads_per_sm": 2048,
                      "shared_per_sm": 164 << 10},
}


def about_an_h200():
    return DATA_SHEET["h200-sxm"] | {
        "name": "Some GPU", "date": "2026-11-30", "memory_bytes": 150109880320,
        "blocks_per_sm": 32, "threads_per_block": 1024, "registers_per_sm": 65536,
        "shared_per_block_max": 227 << 10, "shared_reserved_per_block": 1024,
        "host_read_us": 1.3, "host_fence_us": 0.6, "launch_to_start_us": 3.4,
        "end_to_return_us": 1.95}


def read(path):
    with open(path, "rb") as file:
        return tomllib.load(file)


def shipped(name):
    """{dotted key: value} of a profile, with its base beneath."""
    tree = read(HARDWARE / f"{name}.toml")
    own = {key[1:]: value for key, value in profiles.numbers(tree, "")}
    return (shipped(tree["base"]) if "base" in tree else {}) | own


def base_numbers():
    return ({f"gpu.{key}": value for key, value in shipped("h200-sxm").items()} |
            {f"host.{key}": value for key, value in shipped("xeon-h200-host").items()})


def answer(_, *names):
    """In place of `septet hardware --json`."""
    if not names:
        return [{"name": path.stem, "kind": read(path)["kind"]} for path in HARDWARE.glob("*.toml")]
    return {"host": "xeon-h200-host",
            "numbers": {key: {"value": value} for key, value in shipped(names[0]).items()}}


class Nearest(unittest.TestCase):
    def test_is_the_gpu_itself_where_it_is_shipped(self):
        gpus = {path.stem: shipped(path.stem) for path in HARDWARE.glob("*.toml")
                if read(path)["kind"] == "gpu"}
        for name, attributes in DATA_SHEET.items():
            self.assertEqual(direct.nearest(attributes, gpus), name)


class Direct(unittest.TestCase):
    def setUp(self):
        alone = rows.Row("p.jsonl", 1, "launch", {"what": "sync_only"}, "wall", 0.4, None)
        self.values = {key: value for key, value, _ in
                       direct.values(about_an_h200(), [alone], base_numbers())}

    def test_units(self):
        self.assertEqual(self.values["gpu.clock"], "1980 MHz")
        self.assertEqual(self.values["gpu.sm.shared_memory"], "228 KiB")
        self.assertEqual(self.values["gpu.memory"], "150.1 GB")
        # 3,201 MHz x 2 x 6,016 bits / 8
        self.assertEqual(self.values["gpu.memory_bandwidth"], "4.814 TB/s")

    def test_round_trips_add_up_to_what_was_seen(self):
        # The shipped profile reads in 1.2 us, of which 0.45 are one way: turning around takes 0.15.
        # 1.3 / 2 - 0.15 = 0.5; 3.4 - 0.5 = 2.9. Completion and wake-up are 1.3 and 0.5 there;
        # 1.95 less the block's 0.144 are 1.806 and so 1.304 and 0.502.
        self.assertEqual(self.values["gpu.front_end.doorbell_latency"], "0.5 us")
        self.assertEqual(self.values["gpu.front_end.launch_latency"], "2.9 us")
        self.assertEqual(self.values["gpu.front_end.completion_latency"], "1.3 us")
        self.assertEqual(self.values["host.wake_latency"], "0.502 us")

    def test_a_probe_that_did_not_finish_is_refused(self):
        with self.assertRaises(direct.ProbeError):
            list(direct.values(about_an_h200(), [], base_numbers()))


class Text(unittest.TestCase):
    HEAD = {"kind": "gpu", "aliases": []}
    NUMBERS = {"a.b.x": (1.5, "seen"), "top": ("1 us", 'a "quoted" source'), "a.y": (2, "s")}

    def test_holds_what_it_was_given(self):
        self.assertEqual(tomllib.loads(profile_text.toml(self.HEAD, self.NUMBERS)), {
            "kind": "gpu", "aliases": [],
            "top": {"value": "1 us", "source": 'a "quoted" source'},
            "a": {"y": {"value": 2, "source": "s"},
                  "b": {"x": {"value": 1.5, "source": "seen"}}}})

    def test_fit_can_replace_numbers_in_it(self):
        text = profile_text.toml(self.HEAD, self.NUMBERS)
        text = profiles.replaced(text, "gpu.a.b.x", "2.5", "t")
        self.assertEqual(tomllib.loads(text)["a"]["b"]["x"], {"value": 2.5, "source": "t"})

    def test_numbers_without_a_unit_stay_numbers(self):
        self.assertEqual([profile_text.plain(text) for text in ("8", "0.25", "1.5 us")],
                         [8, 0.25, "1.5 us"])


def launch_row(kernels, wall):
    return {"group": "launch", "metric": "wall_per_kernel", "unit": "us", "n": 1, "value": wall,
            "case": {"what": "chain", "kernels": kernels, "blocks": 1, "threads": 32}}


def answers(_, rows_asked, settings):
    """A simulator in which all takes what a launch costs."""
    cost = float(settings.get("host.launch_cost", "1 us").removesuffix(" us"))
    return [cost for _ in rows_asked]


class Whole(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        alone = {"group": "launch", "case": {"what": "sync_only"}, "metric": "wall", "value": 0.4}
        measured = [launch_row(1000, 5.0), alone]
        (self.folder / "mine.json").write_text(json.dumps(about_an_h200()))
        (self.folder / "mine.jsonl").write_text("".join(json.dumps(r) + "\n" for r in measured))

    def made(self, *arguments):
        err = io.StringIO()
        with (mock.patch("simulate.Septet.predict", answers),
              mock.patch("simulate.Septet.hardware_of", answer), contextlib.redirect_stderr(err),
              contextlib.redirect_stdout(io.StringIO())):
            code = make_profile.main([str(self.folder / "mine"), *arguments])
        return code, err.getvalue()

    def test_rows_and_attributes_are_laid_over_the_nearest_profile(self):
        self.assertEqual(self.made()[0], 0)
        gpu, host = read(self.folder / "mine.toml"), read(self.folder / "mine-host.toml")
        self.assertEqual((gpu["host"], gpu["base"], host["base"]),
                         ("mine-host.toml", "h200-sxm", "xeon-h200-host"))
        self.assertEqual(host["launch_cost"]["value"], "5 us")
        self.assertIn("fitted to its rows, group graph, launch", host["launch_cost"]["source"])
        self.assertEqual(gpu["sm_count"], {
            "value": 132,
            "source": "measured by tools/probe on Some GPU, 2026-11-30: device attribute"})
        self.assertNotIn("kernel", gpu)  # no row shows anything of it

    def test_its_numbers_are_those_of_a_profile(self):
        self.made()
        for name, of in (("mine.toml", "h200-sxm"), ("mine-host.toml", "xeon-h200-host")):
            own = {key[1:] for key, _ in profiles.numbers(read(self.folder / name), "")}
            self.assertEqual(own - set(shipped(of)), set())

    def test_an_unknown_base_is_refused(self):
        code, err = self.made("--base", "h2000")
        self.assertEqual(code, 1)
        self.assertIn("h2000 is none of", err)


class Evidence(unittest.TestCase):
    """The profile in data/measurements/h200/probe is of the rows beside it."""

    def test_every_number_was_measured_and_is_one_of_a_profile(self):
        for name, of in (("h200-probe", "h200-sxm"), ("h200-probe-host", "xeon-h200-host")):
            path = EVIDENCE / f"{name}.toml"
            own = {key[1:] for key, _ in profiles.numbers(read(path), "")}
            self.assertEqual(own - set(shipped(of)), set())
            text = path.read_text(encoding="utf-8")
            self.assertEqual(text.count('.source = "measured by tools/probe on NVIDIA H200'),
                             len(own))

    def test_attributes_are_those_that_were_read(self):
        about = json.loads((EVIDENCE / "h200-probe.json").read_text(encoding="utf-8"))
        tree = read(EVIDENCE / "h200-probe.toml")
        self.assertEqual(tree["sm_count"]["value"], about["sm_count"])
        self.assertEqual(tree["clock"]["value"], f"{about['clock_ghz'] * 1e3:.0f} MHz")


if __name__ == "__main__":
    unittest.main()
