"""Scenarios that are built and changed in Python, and the files that come with Septet."""

from __future__ import annotations

import copy
import os
import pathlib

from septet import _septet
from septet import _errors  # noqa: F401  the classes are known before the first error


class Scenario(dict):
    """A scenario as a dict with the keys of a scenario file (scenarios/FORMAT.md).

    Values are those of TOML: numbers, text with units ("2.5 us"), lists, dicts. Nothing is checked
    before the scenario is used.
    """

    name: str

    def __init__(self, *args, name: str = "scenario", **kwargs):
        """As dict. `name`: what errors call the scenario."""
        super().__init__(*args, **kwargs)
        self.name = name

    @classmethod
    def load(cls, file: str | os.PathLike) -> Scenario:
        """Reads a TOML file. Raises ConfigError with file, line and column."""
        return cls(_septet.load(os.fspath(file)), name=os.fspath(file))

    def changed(self, **tables) -> Scenario:
        """A copy whose tables of these names are replaced."""
        out = Scenario(copy.deepcopy(dict(self)), name=self.name)
        out.update(copy.deepcopy(tables))
        return out

    def to_toml(self) -> str:
        """As the text of a scenario file."""
        return _septet.toml(dict(self), self.name)

    def save(self, file: str | os.PathLike) -> None:
        """Writes a scenario file for the command `septet`."""
        pathlib.Path(file).write_text(self.to_toml(), encoding="utf-8")

    def resolved(self, set: dict | None = None) -> dict:
        """With every value that a run would take, also those of the hardware's profiles."""
        return _septet.resolved(dict(self), self.name, set or {})


def name_of(scenario: dict) -> str:
    return getattr(scenario, "name", "scenario")


def shipped(path: str | os.PathLike) -> str:
    """The place of a file or folder that comes with Septet.

    `path` as in the source tree, such as "scenarios/shipped/fork-join.toml" or
    "data/measurements/h200". Raises FileNotFoundError where there is no such file.
    """
    inside = os.fspath(path).removeprefix("data/")
    folders = _septet.data_folders()
    for folder in folders:
        if os.path.exists(os.path.join(folder, inside)):
            return os.path.join(folder, inside)
    raise FileNotFoundError(f"{path}: not in {', '.join(folders) or 'any folder of data'}")
