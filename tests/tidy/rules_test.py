"""Each rule finds what it is for, and leaves its neighbours alone."""

import unittest

import layer_rules
import size_rules
import text_rules
import tree_rules
from repository import sample


def count(rule, texts):
    return len(list(rule(sample(texts))))


def found(rule, texts):
    return sorted(line.split(":")[0] for line in rule(sample(texts)))


def library(name, links="", sources="a.cpp"):
    return f"septet_library({name}\n  SOURCES {sources}\n  LINKS {links})\n"


class LayerRules(unittest.TestCase):
    def test_arrows_between_layers(self):
        upwards = '#include "models/gpu/gpu.hpp"\n'
        self.assertEqual(found(layer_rules.include_arrows, {
            "core/base/bad.hpp": upwards,
            "models/host/good.hpp": upwards,
            "tools/septet/good.cpp": upwards}), ["core/base/bad.hpp"])

    def test_arrows_inside_core(self):
        self.assertEqual(found(layer_rules.include_arrows, {
            "core/trace/bad.hpp": '#include "core/engine/event.hpp"\n',
            "core/engine/good.hpp": '#include "core/trace/row.hpp"\n',
            "core/base/bad.cpp": '#include "core/trace/row.hpp"\n'}),
            ["core/base/bad.cpp", "core/trace/bad.hpp"])

    def test_only_headers_with_full_paths(self):
        self.assertEqual(count(layer_rules.include_arrows, {
            "models/gpu/a.cpp": '#include "gpu.hpp"\n#include "models/host/b.cpp"\n'
                                "#include <vector>\n"}), 2)

    def test_includes_need_links(self):
        texts = {"core/base/CMakeLists.txt": library("base"),
                 "core/trace/CMakeLists.txt": library("trace", "base"),
                 "models/gpu/CMakeLists.txt": library("gpu", "trace"),
                 "models/gpu/a.cpp": '#include "core/base/a.hpp"\n',  # through trace
                 "models/gpu/main.cpp": '#include "models/host/a.hpp"\n',  # not of the library
                 "models/host/CMakeLists.txt": library("host"),
                 "models/host/a.cpp": '#include "models/gpu/spec.hpp"\n',  # nothing to link
                 "models/host/b.hpp": '#include "models/gpu/a.hpp"\n',
                 "core/base/a.cpp": "",
                 "core/trace/a.cpp": '#include "models/gpu/a.hpp"\n'}
        self.assertEqual(found(layer_rules.includes_match_links, texts),
                         ["core/trace/a.cpp", "models/host/b.hpp"])

    def test_links_in_a_circle(self):
        texts = {"core/base/CMakeLists.txt": library("base", "trace"),
                 "core/trace/CMakeLists.txt": library("trace", "base"),
                 "models/gpu/CMakeLists.txt": library("gpu", "trace")}
        self.assertEqual(count(layer_rules.no_link_cycles, texts), 2)

    def test_heavy_headers(self):
        self.assertEqual(found(layer_rules.headers_are_light, {
            "models/a.hpp": "#include <nlohmann/json.hpp>\n",
            "core/b.hpp": "#include <boost/graph/adjacency_list.hpp>\n",
            "scenarios/c.hpp": "#include <nlohmann/json_fwd.hpp>\n",
            "scenarios/c.cpp": "#include <nlohmann/json.hpp>\n",
            "tools/d.hpp": "#include <nlohmann/json.hpp>\n"}), ["core/b.hpp", "models/a.hpp"])

    def test_namespaces_of_other_folders(self):
        inside = "namespace septet%s {\n}\n"
        self.assertEqual(found(layer_rules.namespaces_follow_folders, {
            "core/base/good.hpp": inside % "",
            "core/engine/bad.hpp": inside % "",
            "models/workload/training/good.hpp": inside % "::training",
            "models/gpu/queues/good.hpp": inside % "::gpu::events",
            "models/gpu/queues/bad.hpp": inside % "::gpus",
            "scenarios/validate/good.cpp": inside % "::validation",
            "tools/septet/bench/bad.cpp": inside % "::bench"}),
            ["core/engine/bad.hpp", "models/gpu/queues/bad.hpp", "tools/septet/bench/bad.cpp"])

    def test_types_of_one_name(self):
        inside = "namespace septet {\n%s\n}\n"
        texts = {"core/a.hpp": inside % "struct Limit {};",
                 "core/b.hpp": inside % "enum class Limit : int { kA };",
                 "core/c.hpp": "namespace septet::other {\nstruct Limit {};\n}\n",
                 "core/d.hpp": inside % "struct Limit;\nstruct Other {\n  struct Limit {};\n};",
                 "core/e.cpp": inside % "struct Limit {};"}
        self.assertEqual(list(layer_rules.types_have_one_definition(sample(texts))),
                         ["core/b.hpp:2: septet::Limit is defined in core/a.hpp:2 too"])


class SizeRules(unittest.TestCase):
    def test_columns_count_characters(self):
        self.assertEqual(found(size_rules.columns, {
            "core/a.cpp": "x" * 101, "core/b.cpp": "µ" * 100, "core/README.md": "x" * 200,
            "data/a.toml": "x" * 200}),
            ["core/a.cpp"])

    def test_long_files_need_a_reason_of_a_sentence(self):
        long = "x\n" * 301
        reasons = {size_rules.REASONS: "core/b.cpp: One table of constants, as published.\n"
                                       "core/c.cpp: long\n"}
        texts = {"core/a.cpp": long, "core/b.cpp": long, "core/c.cpp": long,
                 "core/d.cpp": "x\n" * 300, **reasons}
        self.assertEqual(found(size_rules.file_length, texts), ["core/a.cpp", "core/c.cpp"])

    def test_reasons_that_nothing_needs(self):
        reasons = {size_rules.REASONS: "core/b.cpp: One table of constants, as published.\n"
                                       "core/c.cpp: A file that has been removed.\n"}
        self.assertEqual(count(size_rules.file_length, {"core/b.cpp": "x\n", **reasons}), 2)

    def test_long_functions(self):
        # The head, `lines` statements and the closing brace.
        def function(lines, head="int f(int a) {"):
            return head + "\n" + "  a();\n" * lines + "}\n"
        bad = {"a": function(59), "b": function(59, "A::A(int a)\n    : a_(a) {"),
               "c": function(59, "auto f = [](int a) {"),
               "d": "namespace x {\nclass A {\n" + function(59, "void f() override {") + "};\n}\n",
               "e": function(59, "template <class T>\nT f(T a) {")}
        good = {"f": function(58), "g": function(59, "namespace a {"),
                "h": function(59, "class A {"), "i": function(59, "enum class A : int {"),
                "j": "// int f() {\n" * 80, "k": 'auto a = R"(\nint f() {\n' + "\n" * 80 + '})";\n'}
        for name, text in bad.items():
            self.assertEqual(count(size_rules.function_length, {f"core/{name}.cpp": text}), 1, name)
        for name, text in good.items():
            self.assertEqual(count(size_rules.function_length, {f"core/{name}.cpp": text}), 0, name)

    def test_length_counts_from_the_first_word_to_the_last_brace(self):
        text = "int a;\n\nint f(int a,\n      int b) {\n  for (;;) { g(); }\n  return '{';\n}\n"
        self.assertEqual(list(size_rules.cpp_functions(text)), [(3, 5)])

    def test_long_python_functions(self):
        self.assertEqual(found(size_rules.function_length, {
            "tools/a.py": "def f():\n" + "    x = 1\n" * 60,
            "tools/b.py": "def f():\n" + "    x = 1\n" * 59}), ["tools/a.py"])


class TextRules(unittest.TestCase):
    def test_unfinished(self):
        words = ("TO" "DO", "FIX" "ME", "XX" "X", "st" "ub", "not imple" "mented")
        for word in words:
            self.assertEqual(count(text_rules.nothing_unfinished, {"core/a.cpp": f"// {word}: x"}),
                             1, word)
        self.assertEqual(count(text_rules.nothing_unfinished, {
            "core/a.cpp": "// stubborn, implemented, mkstemp(aXXXXXX), XXXL"}), 0)

    def test_machine_paths(self):
        bad = ["/wo" "rk/main", "/ho" "me/me/x", '"/ro' 'ot/x"', "(/tm" "p/x)"]
        for path in bad:
            self.assertEqual(count(text_rules.no_machine_paths, {"tools/a.sh": path}), 1, path)
        self.assertEqual(count(text_rules.no_machine_paths, {
            "tools/a.sh": "/usr/bin/python3 $HOME/work/x models/work/x build/tmp/x"}), 0)

    def test_outside_folder(self):
        word = "sha" "red/"
        self.assertEqual(found(text_rules.nothing_from_outside, {
            "core/a.cpp": f"../{word}data", "tests/a.cpp": f"../{word}inputs",
            "tests/b.cpp": f"../{word}other", "core/b.cpp": "register/shared memory"}),
            ["core/a.cpp", "tests/b.cpp"])

    def test_exit(self):
        self.assertEqual(found(text_rules.libraries_never_exit, {
            "core/a.cpp": "std::exit(1);", "models/b.cpp": "  abort();",
            "core/c.cpp": "on_exit(); queue.exit(); exit_code(1); std::vector<int> exit(3);",
            "tools/d.cpp": "exit(1);",
            "core/base/error.cpp": "std::abort();"}), ["core/a.cpp", "models/b.cpp"])

    def test_titles(self):
        self.assertEqual(count(text_rules.test_titles, {
            "tests/a.cpp": "TEST(Queue, HoldsEvents) {}\nTEST_F(Queue, holds) {}\n"
                           "TEST(Queue, Holds_Events) {}\n"}), 2)

    def test_counts_of_enumerations_by_hand(self):
        enum = "enum class Stage : std::uint8_t { kFetch, kIssue };\n"
        kinds = "enum class WorkClass {\n  kA,  // one, two\n  kB\n};\n"
        self.assertEqual(found(text_rules.enumerations_count_themselves, {
            "models/a.hpp": enum + "constexpr std::size_t kStages = 2;\n",
            "models/b.hpp": "enum class Stage { kFetch, kCount };\n",
            "models/c.cpp": "auto n = static_cast<std::size_t>(Stage::kIssue) + 1;\n",
            "models/d.hpp": kinds + "constexpr std::size_t kWorkClasses = 2;\n",
            "models/e.hpp": enum + "constexpr std::size_t kPorts = 2;\n",
            "models/f.hpp": enum + "// constexpr std::size_t kStages = 2;\n"}),
            ["models/a.hpp", "models/b.hpp", "models/c.cpp", "models/d.hpp"])

    def test_file_names(self):
        self.assertEqual(found(text_rules.file_names, {
            "core/GoodName.cpp": "", "core/good_name.cpp": "", "core/bad-name.hpp": ""}),
            ["core/GoodName.cpp", "core/bad-name.hpp"])


class TreeRules(unittest.TestCase):
    def test_readmes(self):
        self.assertEqual(found(tree_rules.readmes_exist, {
            "core/base/a.cpp": "", "core/README.md": "", "models/gpu/README.md": "",
            "models/gpu/a.hpp": "", "models/README.md": ""}), ["core/base"])
        self.assertEqual(found(tree_rules.readmes_are_short, {
            "README.md": "x\n" * 99, "core/README.md": "x\n" * 41, "models/README.md": "x\n" * 40}),
            ["core/README.md"])

    def test_subfolders_that_a_readme_does_not_list(self):
        self.assertEqual(list(tree_rules.readmes_list_their_subfolders(sample({
            "core/README.md": "| `base/` | [trace](trace/) | the engine | base/engine/x.hpp |",
            "core/base/README.md": "", "core/trace/README.md": "", "core/engine/README.md": "",
            "models/gpu/README.md": ""}))), ["core/README.md: does not list engine/"])

    def test_links(self):
        texts = {"README.md": "[a](core/) [b](core/x.hpp#part) [c](https://x.y) [d](#here)",
                 "core/README.md": "[a](../README.md) [b](x.hpp) [c](y.hpp)\n```\n[d](z)\n```\n",
                 "core/x.hpp": ""}
        self.assertEqual(count(tree_rules.links_resolve, texts), 1)

    def test_tests_mirror(self):
        self.assertEqual(found(tree_rules.tests_mirror_the_tree, {
            "core/base/a.cpp": "", "tests/core/base/a_test.cpp": "",
            "tests/core/old/b_test.cpp": "", "tests/tidy/rules_test.py": ""}),
            ["tests/core/old/b_test.cpp"])

    def test_forgotten_sources(self):
        texts = {"core/base/CMakeLists.txt": "septet_library(a SOURCES a.cpp big_b.cpp) # c.cpp",
                 "core/base/a.cpp": "", "core/base/b.cpp": "", "core/base/c.cpp": "",
                 "core/base/big_b.cpp": "", "tests/tools/x_test.py": ""}
        self.assertEqual(found(tree_rules.cmake_knows_every_source, texts),
                         ["core/base/b.cpp", "core/base/c.cpp", "tests/tools/x_test.py"])

    def test_numbers_without_a_source(self):
        text = ('name = "x"\na = { value = 1, source = "sheet" }\nb = { value = 2 }\nc = 3\n'
                'd = { value = "4 GB/s", source = "" }\ne = { value = [1], source = "sheet" }\n'
                'text = "GPU 3 x 2"\n')
        messages = list(tree_rules.numbers_have_sources(sample({"data/hardware/x.toml": text})))
        self.assertEqual([m.split(": ")[1].split(" ")[0] for m in messages],
                         ["b.value", "c", "d.value"])


if __name__ == "__main__":
    unittest.main()
