"""Closed or full streams, limits and disks that fail are said with a name, and nothing is lost."""

import errno
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

import faulty

H200 = faulty.ROOT / "data" / "measurements" / "h200"


def run(command, **more):
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, timeout=120,
                          **{"stdout": subprocess.PIPE, **more})


class Streams(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.runs = faulty.Runs(temporary.name)
        self.runs.put_old()

    def check_written(self, done, reason):
        """Standard output failed; the new result is there all the same."""
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"standard output: cannot be written: {reason}", done.stderr)
        self.assertEqual((self.runs.found(), self.runs.beside()), (True, []))

    def test_a_full_standard_output(self):
        with open("/dev/full", "wb") as full:
            self.check_written(run(self.runs.command(True), stdout=full), os.strerror(errno.ENOSPC))

    def test_a_broken_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        self.check_written(run(self.runs.command(True), stdout=writer), os.strerror(errno.EPIPE))
        os.close(writer)

    def test_a_closed_standard_output_is_not_the_first_file_that_is_opened(self):
        words = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *self.runs.command(True)]
        self.check_written(run(words), os.strerror(errno.EBADF))

    def test_other_closed_streams_do_no_harm(self):
        for closed in ("<&-", "2>&-", "<&- 2>&-"):
            self.runs.put_old()
            words = ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *self.runs.command(True)]
            self.assertEqual(run(words).returncode, 0, closed)
            self.assertEqual((self.runs.found(), self.runs.beside()), (True, []))

    def test_a_limit_on_the_size_of_files_is_said_and_leaves_the_old_result(self):
        for limit in (0, 1000, 20_000):
            self.runs.put_old()
            done = run(self.runs.command(True),
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, r"error: /.*out.*File too large")
            self.assertEqual((self.runs.found(), self.runs.beside()), (False, []))

    def test_an_error_while_reading_is_not_the_end_of_a_file(self):
        recording = H200 / "traces" / "mlp-train-batch64-graph.json.gz"
        trace = self.runs.folder / "trace.h5"
        trace.write_bytes(self.runs.whole[True]["trace.h5"])
        rows = H200 / "queue.jsonl"
        for path, command in ((recording, ["replay"]), (trace, ["replay"]), (trace, ["export"]),
                              (rows, ["validate"]), (self.runs.scenario, ["run"]),
                              (self.runs.scenario, ["config"]), (self.profile(), ["validate"]),
                              (self.profile(), ["explain"])):
            words = [faulty.SEPTET, *command, str(path)]
            if command == ["export"]:
                words += ["--output", str(self.runs.folder / "timeline")]
            self.check_reads(path, words)

    def profile(self):
        return next((H200 / "kernels").glob("*.csv"))

    def check_reads(self, path, words):
        count = pathlib.Path(self.runs.folder / "count")
        most = faulty.operations(words, path, "reads", count)
        self.assertGreater(most, 0, path)
        for at in {1, (most + 1) // 2, most}:
            done = run(words, env=faulty.spoilt(path, "reads", at, errno.EIO))
            self.assertNotEqual(done.returncode, 0, (words, at, most))
            self.assertIn(path.name, done.stderr)


if __name__ == "__main__":
    unittest.main()
