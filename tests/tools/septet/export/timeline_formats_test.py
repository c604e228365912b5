"""Every slice of a timeline is in every format, with its exact name and times.

Random slices go through the sample program; its files are read back with independent readers
(protoc's Python, json, csv) and compared with what went in. The argument is the sample program.
"""

import collections
import csv
import importlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else ""
CATEGORIES = ["kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "other"]
TRACKS = ["stream 7", "stream 8", "main"]
NAMES = ['void f<float, 4>(int)', 'name "quoted", with\\backslash', "核心 µ", "x" * 3000]
SEED = 20

Slice = collections.namedtuple("Slice", "track category name start duration correlation")


def random_slices(count):
    """Kernels that may overlap on two streams, calls that may nest on a thread."""
    rng = random.Random(SEED)
    out = []
    for number in range(count):
        track = rng.randrange(3)
        kind = 3 if track == 2 else rng.choice([0, 0, 1, 2, 4])
        # Few distinct times, so that many slices begin or end together or take no time.
        start = rng.randrange(200) * 1_000_500
        duration = rng.choice([0, 500, 1_000_500, 5_000_001, 20 * 1_000_500])
        out.append(Slice(track, CATEGORIES[kind], rng.choice(NAMES), start, duration,
                         rng.randrange(count)))
    return out


def track_of(lane):
    """Lanes of one track differ in what follows the track's name."""
    return TRACKS.index(lane.split(" (lane ")[0])


def picoseconds(microseconds):
    whole, fraction = microseconds.split(".")
    return int(whole) * 1_000_000 + int(fraction.ljust(6, "0"))


class TimelineFormats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.slices = random_slices(2000)
        lines = "".join(
            f"{s.track}\t{CATEGORIES.index(s.category)}\t{s.start}\t{s.duration}\t{s.correlation}\t"
            f"{s.name}\n" for s in cls.slices)
        subprocess.run([PROGRAM, cls.folder.name], input=lines.encode(), check=True)
        subprocess.run(["protoc", f"--python_out={cls.folder.name}", f"-I{HERE}",
                        str(HERE / "perfetto_subset.proto")], check=True)
        sys.path.insert(0, cls.folder.name)
        cls.proto = importlib.import_module("perfetto_subset_pb2")
        cls.trace = cls.proto.Trace.FromString((cls.path / "sample.pftrace").read_bytes())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def assert_same_slices(self, got, expected):
        self.assertEqual(collections.Counter(got), collections.Counter(expected),
                         f"seed {SEED}")

    def perfetto_tables(self):
        """Names by id of each interning table, and track names by uuid."""
        tables = collections.defaultdict(dict)
        tracks = {}
        for packet in self.trace.packet:
            for field, entries in packet.interned_data.ListFields():
                for entry in entries:
                    self.assertNotIn(entry.iid, tables[field.name])
                    self.assertGreater(entry.iid, 0)
                    tables[field.name][entry.iid] = entry.name.decode()
            if packet.HasField("track_descriptor"):
                tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        return tables, tracks

    def perfetto_slices(self):
        """Pairs begins with ends as a viewer does: an end closes the innermost open slice."""
        tables, tracks = self.perfetto_tables()
        open_slices = collections.defaultdict(list)
        for packet in self.trace.packet:
            event = packet.track_event
            if event.type == event.TYPE_SLICE_BEGIN:
                open_slices[event.track_uuid].append((packet.timestamp, event))
            elif event.type == event.TYPE_SLICE_END:
                start, begin = open_slices[event.track_uuid].pop()
                arguments = {tables["debug_annotation_names"][a.name_iid]: a
                             for a in begin.debug_annotations}
                yield Slice(track_of(tracks[event.track_uuid].name),
                            tables["event_categories"][begin.category_iids[0]],
                            tables["event_names"][begin.name_iid], start,
                            packet.timestamp, arguments["correlation"].int_value)
        self.assertFalse(any(open_slices.values()), "slices without an end")

    def test_perfetto_has_every_slice(self):
        # Perfetto's unit is the nanosecond; both ends are cut to it.
        expected = [s._replace(start=s.start // 1000, duration=(s.start + s.duration) // 1000)
                    for s in self.slices]
        self.assert_same_slices(self.perfetto_slices(), expected)

    def test_perfetto_slices_of_a_stream_never_nest_and_time_never_runs_back(self):
        depth = collections.Counter()
        _, tracks = self.perfetto_tables()
        last = 0
        for packet in self.trace.packet:
            event = packet.track_event
            if event.type in (event.TYPE_SLICE_BEGIN, event.TYPE_SLICE_END):
                self.assertGreaterEqual(packet.timestamp, last)
                last = packet.timestamp
                depth[event.track_uuid] += 1 if event.type == event.TYPE_SLICE_BEGIN else -1
                if tracks[event.track_uuid].name.startswith("stream"):
                    self.assertIn(depth[event.track_uuid], (0, 1))

    def test_perfetto_sequence_is_declared(self):
        flags = [packet.sequence_flags for packet in self.trace.packet]
        self.assertEqual(flags[0], 3)  # tables cleared, and needed
        self.assertEqual(set(flags[1:]), {2})
        self.assertEqual({p.trusted_packet_sequence_id for p in self.trace.packet}, {1})

    def test_perfetto_tracks_have_parents_and_distinct_names(self):
        _, tracks = self.perfetto_tables()
        groups = {uuid for uuid, track in tracks.items() if not track.HasField("parent_uuid")}
        self.assertEqual({tracks[uuid].name for uuid in groups}, {"GPU 0", "host"})
        names = [(t.parent_uuid, t.name) for t in tracks.values()]
        self.assertEqual(len(names), len(set(names)))
        self.assertTrue(all(t.parent_uuid in groups for t in tracks.values()
                            if t.HasField("parent_uuid")))

    def test_perfetto_arrows_join_calls_to_work(self):
        sources, targets = {}, {}
        tables, _ = self.perfetto_tables()
        for packet in self.trace.packet:
            event = packet.track_event
            correlation = [a.int_value for a in event.debug_annotations
                           if tables["debug_annotation_names"][a.name_iid] == "correlation"]
            for flow in event.flow_ids:
                sources[flow] = correlation[0]
            for flow in event.terminating_flow_ids:
                targets[flow] = correlation[0]
        called = {s.correlation for s in self.slices if s.category == "cuda_runtime"} - {0}
        worked = {s.correlation for s in self.slices if s.category != "cuda_runtime"}
        self.assertEqual(sources, targets)
        self.assertEqual(sorted(sources.values()), sorted(called & worked))

    def test_perfetto_counters_have_their_unit(self):
        _, tracks = self.perfetto_tables()
        samples = [(tracks[p.track_event.track_uuid], p.timestamp,
                    p.track_event.double_counter_value)
                   for p in self.trace.packet
                   if p.track_event.type == self.proto.TrackEvent.TYPE_COUNTER]
        self.assertEqual([(t.name, t.counter.unit_name, at, value) for t, at, value in samples],
                         [("power", "W", 5, 350.5)])

    def test_chrome_has_every_slice(self):
        # Numbers stay text, so that no digit is lost to a float.
        trace = json.loads((self.path / "sample.json").read_text(), parse_float=str)
        names = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace["traceEvents"]
                 if e["name"] == "thread_name"}
        self.assertEqual(len(names), len(set(names.values())))
        got = [Slice(track_of(names[e["pid"], e["tid"]]), e["cat"], e["name"],
                     picoseconds(e["ts"]), picoseconds(e["dur"]), e["args"]["correlation"])
               for e in trace["traceEvents"] if e["ph"] == "X"]
        self.assert_same_slices(got, self.slices)

    def test_chrome_flows_come_in_pairs(self):
        trace = json.loads((self.path / "sample.json").read_text())
        begins = [e["id"] for e in trace["traceEvents"] if e["ph"] == "s"]
        ends = [e["id"] for e in trace["traceEvents"] if e["ph"] == "f"]
        self.assertGreater(len(begins), 0)
        self.assertEqual(begins, ends)

    def test_csv_has_every_slice(self):
        with open(self.path / "sample.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        got = [Slice(track_of(r["track"]), r["category"], r["name"], picoseconds(r["start_us"]),
                     picoseconds(r["duration_us"]), int(r["correlation"])) for r in rows]
        self.assert_same_slices(got, self.slices)
        self.assertEqual({r["cause"] for r in rows}, {'a, "b"'})


if __name__ == "__main__":
    unittest.main()
