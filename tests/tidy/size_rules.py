"""Lines, functions and files stay short."""

import ast
import re

MAX_COLUMNS = 100
MAX_FILE = 300
MAX_FUNCTION = 60
REASONS = "tests/tidy/long_files.txt"
CONTROL = re.compile(r"^(?:\}?\s*else\b|if\b|for\b|while\b|switch\b|do\b|try\b|catch\b)")
NOT_A_FUNCTION = re.compile(r"^(?:template\s*<.*>\s*)?(?:inline\s+)?"
                            r"(?:namespace|class|struct|enum|union|extern)\b")


def columns(repository):
    for name, text in repository.texts.items():
        if name.endswith(".md") or name.startswith("data/"):
            continue  # prose, and tables with their sources
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > MAX_COLUMNS:
                yield f"{name}:{number}: {len(line)} columns, at most {MAX_COLUMNS}"


def long_file_reasons(repository):
    """{path: reason} of the files that may be longer, from lines "path: reason"."""
    lines = repository.texts.get(REASONS, "").splitlines()
    pairs = (line.split(":", 1) for line in lines if line.strip() and not line.startswith("#"))
    return {pair[0].strip(): pair[-1].strip() for pair in pairs}


def file_length(repository):
    reasons = long_file_reasons(repository)
    for name, text in repository.texts.items():
        if not name.endswith((".cpp", ".hpp", ".cu", ".py")):
            continue
        length = text.count("\n")
        if length > MAX_FILE and len(reasons.get(name, "").split()) < 4:
            yield f"{name}: {length} lines; above {MAX_FILE} {REASONS} has to say why"
        if length <= MAX_FILE and name in reasons:
            yield f"{REASONS}: {name} has {length} lines and needs no reason any more"
    for name in reasons:
        if name not in repository.texts:
            yield f"{REASONS}: {name} does not exist"


def function_length(repository):
    for name, text in repository.texts.items():
        found = []
        if name.endswith((".cpp", ".hpp", ".cu")):
            found = cpp_functions(text)
        elif name.endswith(".py"):
            found = python_functions(text)
        for line, length in found:
            if length > MAX_FUNCTION:
                yield f"{name}:{line}: a function of {length} lines, at most {MAX_FUNCTION}"


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1


LITERALS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.DOTALL | re.MULTILINE)


def without_literals(text):
    """Comments, strings and preprocessor lines blanked, line breaks kept."""
    return LITERALS.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def cpp_functions(text):
    """(line, length) of each outermost function body, told from other blocks by what is before it.

    The text is not parsed: a block is a function where parentheses stand before its brace and the
    words before them are not those of a class, a namespace or a control statement.
    """
    text = without_literals(text)
    blocks = []  # for each open brace: (is a function, line of its first word)
    begin = 0
    depth = 0  # of parentheses, in which semicolons and braces separate nothing
    for at, letter in enumerate(text):
        if letter in "()":
            depth += 1 if letter == "(" else -1
        elif letter == "{":
            head = text[begin:at]
            words = head.strip()
            is_function = (")" in words and not CONTROL.match(words) and
                           not NOT_A_FUNCTION.match(words))
            first = text.count("\n", 0, begin + len(head) - len(head.lstrip())) + 1
            blocks.append((is_function, first, depth))
            depth = 0
            begin = at + 1
        elif letter == "}" and blocks:
            is_function, first, depth = blocks.pop()
            if is_function and not any(block[0] for block in blocks):
                yield first, text.count("\n", 0, at) + 2 - first
            begin = at + 1
        elif letter == ";" and depth == 0:
            begin = at + 1


RULES = (columns, file_length, function_length)
