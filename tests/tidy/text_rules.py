"""Words that don't belong into the project."""

import re

from repository import LAYERS

# Written in pieces, so that the rules don't find themselves.
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|(?i:st" r"ubs?|not imple" r"mented))\b")
MACHINE_PATH = re.compile(r"(?<![\w.}$])/(?:work|home|root|Users|mnt|tmp)/\w")
SHARED = re.compile(r"\bsha" r"red/(?!\w*ptr)")
LEAVING = re.compile(r"(?<![\w.>])(?<!> )(?:std::)?(?:exit|_exit|quick_exit|abort|terminate)\s*\(")
TEST_TITLE = re.compile(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)", re.MULTILINE)
CAMEL_CASE = re.compile(r"[A-Z0-9][A-Za-z0-9]*")
ENUMERATION = re.compile(r"\benum class (\w+)[^{;]*\{([^}]*)\}")
CONSTANT = re.compile(r"\bconstexpr std::(?:size_t|uint\d+_t) (k\w+) = (\d+);")
SENTINEL = re.compile(r"k(?:Count|Number\w*|NumberOf\w*|Size|Last|Sentinel)")
LAST_AND_ONE = re.compile(r"static_cast<[\w:]+>\((\w+)::k\w+\) \+ 1\b")
COMMENT = re.compile(r"//[^\n]*")
FILE_NAME = re.compile(r"[a-z0-9_]+\.(?:cpp|hpp|cu|py)")
# The failed assertion, and a child process that ends itself.
ABORTS = ("core/base/error.cpp", "core/trace/trial.cpp")


def lines_with(repository, pattern, names=None):
    for name, text in repository.texts.items():
        if names is not None and not names(name):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = pattern.search(line)
            if match:
                yield name, number, line, match.group()


def nothing_unfinished(repository):
    for name, number, _, word in lines_with(repository, UNFINISHED):
        yield f"{name}:{number}: '{word}': finish it or take it out"


def no_machine_paths(repository):
    for name, number, _, word in lines_with(repository, MACHINE_PATH):
        yield f"{name}:{number}: '{word}...' is a path of one machine"


def nothing_from_outside(repository):
    """Only tests may look for inputs beside the repository, as the default of SEPTET_INPUTS."""
    for name, number, line, _ in lines_with(repository, SHARED):
        if not (name.startswith("tests/") and "inputs" in line):
            yield f"{name}:{number}: mentions a folder outside of the repository"


def libraries_never_exit(repository):
    def is_library(name):
        return name.endswith((".cpp", ".hpp")) and name not in ABORTS and (
            name.split("/")[0] in ("core", "models", "scenarios"))
    for name, number, _, word in lines_with(repository, LEAVING, is_library):
        yield f"{name}:{number}: '{word}': throw instead"


def test_titles(repository):
    for name, text in repository.code("tests").items():
        for match in TEST_TITLE.finditer(text):
            if not CAMEL_CASE.fullmatch(match.group(2)):
                number = text.count("\n", 0, match.start()) + 1
                yield f"{name}:{number}: {match.group(2)}: a title is a sentence in CamelCase"


def enumerations_count_themselves(repository):
    """No last value that counts the others and no count beside them: kEnumSize has it."""
    for name, text in repository.code(*LAYERS).items():
        text = COMMENT.sub("", text)
        constants = {constant: int(value) for constant, value in CONSTANT.findall(text)}
        for kind, body in ENUMERATION.findall(text):
            values = [value.split("=")[0].strip() for value in body.split(",") if value.strip()]
            if values and SENTINEL.fullmatch(values[-1]):
                yield f"{name}: {kind}::{values[-1]} counts the others; take kEnumSize<{kind}>"
            for constant, value in constants.items():
                if value == len(values) and is_count_of(constant, kind):
                    yield f"{name}: {constant} counts {kind}; take kEnumSize<{kind}>"
        for match in LAST_AND_ONE.finditer(text):
            yield f"{name}: {match.group()} counts {match.group(1)}; take kEnumSize"


def is_count_of(constant, kind):
    """kStages, kWorkClasses and kTimeCategories count Stage, WorkClass and TimeCategory."""
    plurals = {kind + "s", kind + "es", kind.removesuffix("y") + "ies"}
    return constant.removeprefix("k") in plurals


def file_names(repository):
    for name in repository.texts:
        base = name.rpartition("/")[2]
        if base.endswith((".cpp", ".hpp", ".cu", ".py")) and not FILE_NAME.fullmatch(base):
            yield f"{name}: file names are snake_case"


RULES = (nothing_unfinished, no_machine_paths, nothing_from_outside, libraries_never_exit,
         test_titles, enumerations_count_themselves, file_names)
