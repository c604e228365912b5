"""Predictions of rows by `septet validate`, cached."""

import json
import os
import pathlib
import subprocess
import tempfile

import rows as measured


class SimulationError(Exception):
    """`septet validate` failed; contains its output."""


class Septet:
    """Answers rows with some numbers of the profile replaced ("gpu.front_end.stream_gap": "1 us").

    The rows are written without their answers. Rows with recordings are answered where they lie,
    by `predict_files`. `hardware` is the profile for rows that name none, with some of its numbers
    always replaced.
    """

    def __init__(self, program, data, hardware, always=None):
        self.program = str(program)
        self.hardware = str(hardware)
        self.always = dict(always or {})
        self.environment = {**os.environ, "SEPTET_DATA": str(data)}
        self.known = {}
        self.simulated = 0  # rows; cached ones are not counted

    def predict(self, rows, settings):
        """The predicted value of each row; None where there is none."""
        known = self.known.setdefault(frozenset(settings.items()), {})
        missing = [row for row in rows if row.id not in known]
        if missing:
            self.simulated += len(missing)
            with tempfile.TemporaryDirectory() as folder:
                paths, asked = measured.write_questions(missing, pathlib.Path(folder))
                answers = self.predict_files(paths, settings)
            for row, answer in zip(asked, answers, strict=True):
                known[row.id] = answer
        return [known[row.id] for row in rows]

    def predict_files(self, paths, settings):
        command = [self.program, "validate", *map(str, paths), "--json", "--quiet",
                   "--hardware", self.hardware]
        for key, value in {**self.always, **settings}.items():
            command += ["--set", f"{key}={value}"]
        return [row["predicted"] for row in self.asked(command)["rows"]]

    def hardware_of(self, *names):
        """The output of `septet hardware` for these profiles; without a name, the list of all."""
        return self.asked([self.program, "hardware", *names, "--json"])

    def asked(self, command):
        done = subprocess.run(command, env=self.environment, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise SimulationError(f"{' '.join(command)}\n{done.stderr}")
        return json.loads(done.stdout)
