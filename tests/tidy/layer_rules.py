"""Who may include whom, and that CMake says the same."""

import re

from repository import LAYERS, folder_of

CORE_ORDER = ("base", "files", "trace", "engine")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
DEFINITION = re.compile(r"^(?:namespace (?P<namespace>[\w:]+) \{|"
                        r"(?:struct|class|enum class|enum) (?P<type>\w+)(?: final)?\s*[:{])",
                        re.MULTILINE)
LIBRARY = re.compile(r"septet_library\(\s*(\w+)(.*?)\)", re.DOTALL)


def includes(text):
    """(line, path) of each include in quotes."""
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(1)) + 1, match.group(1)


def include_arrows(repository):
    """core <- models <- scenarios <- tools, and inside core base <- files <- trace <- engine."""
    for name, text in repository.code(*LAYERS).items():
        for line, path in includes(text):
            reason = wrong_arrow(name.split("/"), path.split("/"))
            if reason:
                yield f"{name}:{line}: includes {path}: {reason}"


def wrong_arrow(source, target):
    if target[-1].endswith(".cpp"):
        return "only headers are included"
    if target[0] not in LAYERS:
        return "" if target[0] == "data" else "write the path from the repository's root"
    if LAYERS.index(target[0]) > LAYERS.index(source[0]):
        return f"{source[0]} may not know {target[0]}"
    if source[0] == target[0] == "core" and rank(target) > rank(source):
        return f"core/{source[1]} may not know core/{target[1]}"
    return ""


def rank(parts):
    return CORE_ORDER.index(parts[1]) if parts[1] in CORE_ORDER else len(CORE_ORDER)


def libraries(repository):
    """{folder: (target, links)} of every septet_library."""
    out = {}
    for name, text in repository.texts.items():
        if name.endswith("CMakeLists.txt"):
            for target, body in LIBRARY.findall(re.sub(r"#.*", "", text)):
                links = body.partition("LINKS")[2].split()
                out[folder_of(name)] = (target, links)
    return out


def reachable(target, links_of):
    seen = set()
    waiting = [target]
    while waiting:
        for link in links_of.get(waiting.pop(), []):
            if link not in seen:
                seen.add(link)
                waiting.append(link)
    return seen


def includes_match_links(repository):
    """A library links, itself or through what it links, every library whose headers it includes.

    Headers without a source file of the same name need nothing to be linked.
    """
    found = libraries(repository)
    links_of = dict(found.values())
    for name, text in repository.code(*LAYERS).items():
        folder = folder_of(name)
        if folder not in found or not in_library(repository, name):
            continue
        target = found[folder][0]
        allowed = reachable(target, links_of) | {target}
        for line, path in includes(text):
            other = found.get(folder_of(path))
            needs_link = path.removesuffix(".hpp") + ".cpp" in repository.names
            if other and needs_link and other[0] not in allowed:
                yield f"{name}:{line}: includes {path}, but {target} does not link {other[0]}"


def in_library(repository, name):
    """Folders may hold sources of a program beside those of the library."""
    folder, _, base = name.rpartition("/")
    source = base.removesuffix(".hpp") + ".cpp" if base.endswith(".hpp") else base
    if f"{folder}/{source}" not in repository.names:
        return True
    text = re.sub(r"#.*", "", repository.texts[f"{folder}/CMakeLists.txt"])
    return any(source in body.partition("LINKS")[0].split() for _, body in LIBRARY.findall(text))


def no_link_cycles(repository):
    found = libraries(repository)
    links_of = dict(found.values())
    for folder, (target, _) in found.items():
        if target in reachable(target, links_of):
            yield f"{folder}/CMakeLists.txt: {target} links itself in a circle"


HEAVY = re.compile(r"^\s*#\s*include\s*<(nlohmann/json\.hpp|boost/graph/[^>]+)>", re.MULTILINE)


def headers_are_light(repository):
    """Below the tools, headers do not include what takes more than a second to compile."""
    for name, text in repository.code("core", "models", "scenarios").items():
        if name.endswith(".hpp"):
            for match in HEAVY.finditer(text):
                line = text.count("\n", 0, match.start(1)) + 1
                yield f"{name}:{line}: includes {match.group(1)}; a source file may"


NAMESPACE = re.compile(r"^namespace (septet[\w:]*) \{", re.MULTILINE)
# Where the namespace is not the folder's name.
NAMED = {"core/base": "", "scenarios/network": "config", "scenarios/validate": "validation",
         "tools/septet": "command"}


def namespaces_follow_folders(repository):
    """core/engine -> septet::engine, models/workload/training -> septet::training; core/base is
    septet itself, which every namespace sees."""
    for name, text in repository.code(*LAYERS).items():
        wanted = namespace_of(name)
        for match in NAMESPACE.finditer(text):
            if match.group(1) != wanted and not match.group(1).startswith(wanted + "::"):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{name}:{line}: got namespace {match.group(1)}, wanted {wanted}"
                break


def namespace_of(name):
    parts = name.split("/")[:-1]
    own = NAMED.get("/".join(parts[:2]))
    if own is None:
        own = parts[2] if parts[1] == "workload" and len(parts) > 2 else parts[1]
    return "septet::" + own if own else "septet"


def types_have_one_definition(repository):
    """No two headers define types of one name in one namespace: programs that include both, or link
    both, are wrong."""
    first = {}
    for name, text in repository.code(*LAYERS).items():
        if not name.endswith(".hpp"):
            continue
        for namespace, line, kind in defined_types(text):
            place = first.setdefault((namespace, kind), f"{name}:{line}")
            if place != f"{name}:{line}":
                yield f"{name}:{line}: {namespace}::{kind} is defined in {place} too"


def defined_types(text):
    """(namespace, line, name) of each type that begins a line, in the namespaces around it."""
    namespace = ""
    for match in DEFINITION.finditer(text):
        if match.group("namespace"):
            namespace = match.group("namespace")
        else:
            yield namespace, text.count("\n", 0, match.start()) + 1, match.group("type")


RULES = (include_arrows, includes_match_links, no_link_cycles, headers_are_light,
         namespaces_follow_folders, types_have_one_definition)
