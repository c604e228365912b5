"""Where files lie: READMEs, tests beside what they test, nothing forgotten by CMake."""

import re
import tomllib

from repository import LAYERS, folder_of

README_LINES = 40
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
SOURCED = ("data/hardware/", "data/nodes/")


def readmes_exist(repository):
    """A README in every folder of ours with code in it, and in the layers themselves."""
    wanted = {folder_of(name) for name in repository.code(*LAYERS)} | {
        folder_of(name) for name in repository.names
        if name.startswith("data/") and name.count("/") <= 2}
    wanted |= {layer for layer in LAYERS + ("tests",) if layer in repository.folders()}
    for folder in sorted(wanted):
        if f"{folder}/README.md" not in repository.names:
            yield f"{folder}: has no README.md"


def readmes_are_short(repository):
    for name, text in repository.texts.items():
        if name.endswith("/README.md") and text.count("\n") > README_LINES:
            yield f"{name}: {text.count(chr(10))} lines, at most {README_LINES}"


def readmes_list_their_subfolders(repository):
    """By name, with a slash, or by a link: who looks for something finds the way from above."""
    for name in sorted(repository.names):
        above = folder_of(folder_of(name))
        text = repository.texts.get(f"{above}/README.md")
        if not name.endswith("/README.md") or text is None:
            continue
        folder = folder_of(name).rpartition("/")[2]
        if not re.search(rf"(?<![\w/]){re.escape(folder)}/(?!\w)", text):
            yield f"{above}/README.md: does not list {folder}/"


def links_resolve(repository):
    known = repository.names | repository.folders()
    for name, text in repository.texts.items():
        if not name.endswith(".md"):
            continue
        for target in LINK.findall(FENCE.sub("", text)):
            if re.match(r"[a-z]+:|#", target):
                continue
            path = normal(folder_of(name), target.partition("#")[0])
            if path not in known:
                yield f"{name}: the link to {target} leads nowhere"


def normal(folder, target):
    parts = folder.split("/") if folder and not target.startswith("/") else []
    for part in target.strip("/").split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def tests_mirror_the_tree(repository):
    folders = repository.folders()
    for name in repository.names:
        if re.fullmatch(r"tests/(?!tidy/).*_test\.(?:cpp|py)", name):
            if folder_of(name).removeprefix("tests/") not in folders:
                yield f"{name}: there is no {folder_of(name).removeprefix('tests/')}"


def cmake_knows_every_source(repository):
    """A source or a test that no CMakeLists.txt of its folder names is never built or run."""
    for name in repository.names:
        is_source = name.endswith(".cpp") and name.split("/")[0] in LAYERS + ("tests",)
        if not is_source and not re.fullmatch(r"tests/.*_test\.py", name):
            continue
        folder, _, base = name.rpartition("/")
        if not re.search(rf"(?<!\w){re.escape(base)}\b", cmake_text(repository, folder)):
            yield f"{name}: {folder}/CMakeLists.txt does not name it"


def cmake_text(repository, folder):
    return re.sub(r"#.*", "", repository.texts.get(f"{folder}/CMakeLists.txt", ""))


def numbers_have_sources(repository):
    """Every number in data/hardware and data/nodes is a value of a table with a source."""
    for name, text in repository.texts.items():
        if name.startswith(SOURCED) and name.endswith(".toml"):
            yield from (f"{name}: {key} has no source" for key in unsourced(tomllib.loads(text)))


QUANTITY = re.compile(r"[-+]?[\d.]+(?:e[-+]?\d+)?\s*[A-Za-z%/]{1,9}")


def is_number(value):
    """Numbers, and texts that are one with a unit ("4.8 TB/s")."""
    if isinstance(value, str):
        return QUANTITY.fullmatch(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def unsourced(value, key="", sourced=False):
    if isinstance(value, dict):
        sourced = sourced or bool(str(value.get("source", "")).strip())
        for inner, entry in value.items():
            yield from unsourced(entry, f"{key}.{inner}".strip("."), sourced)
    elif isinstance(value, list):
        for entry in value:
            yield from unsourced(entry, key, sourced)
    elif is_number(value) and not sourced:
        yield key


RULES = (readmes_exist, readmes_are_short, readmes_list_their_subfolders, links_resolve,
         tests_mirror_the_tree, cmake_knows_every_source, numbers_have_sources)
