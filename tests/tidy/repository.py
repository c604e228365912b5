"""The files of a repository as the rules see them: names, and text where it is ours to write."""

import dataclasses
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "checks"))

import sources  # noqa: E402  (found through the line above)

CODE = (".cpp", ".hpp", ".cu")
TEXT = CODE + (".py", ".md", ".cmake", ".toml", ".txt", ".sh", ".proto", ".supp", ".html", ".js")
LAYERS = ("core", "models", "scenarios", "tools")
RECORDS = "data/measurements/"  # what was measured, kept as it came


@dataclasses.dataclass
class Repository:
    """`names` are all files, relative to the root; `texts` hold those that the rules read."""

    names: set
    texts: dict

    def code(self, *folders):
        return {name: text for name, text in self.texts.items()
                if name.endswith(CODE) and (not folders or name.split("/")[0] in folders)}

    def folders(self):
        return {parent for name in self.names for parent in parents(name)}


def parents(name):
    """Every folder above a file, nearest first, without the root."""
    parts = name.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]


def folder_of(name):
    return name.rpartition("/")[0]


def sample(texts):
    """A repository out of a dictionary, for the tests of the rules."""
    return Repository(set(texts), dict(texts))


def is_text(name):
    base = name.rpartition("/")[2]
    is_script = "." not in base and name.split("/")[0] in ("tools", ".ci")
    return not name.startswith(RECORDS) and (base.endswith(TEXT) or is_script)


def load():
    names = sources.all_files(ROOT)
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in names if is_text(name)}
    return Repository(set(names), texts)
