"""What `cmake --install` makes works from any folder, wherever it lies. The argument is the build
folder."""

import json
import pathlib
import re
import subprocess
import unittest

from installation import BUILD, ROOT, Installation, called, has

MODULES = pathlib.Path("/usr/bin/modulecmd")


def can_hide_folders():
    probe = ["unshare", "--map-root-user", "--mount", "true"]
    return has("unshare") and subprocess.run(probe, stderr=subprocess.DEVNULL,
                                             check=False).returncode == 0


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.installed = Installation("command", "development")

    @classmethod
    def tearDownClass(cls):
        cls.installed.remove()

    def test_simulates_a_shipped_scenario_from_another_folder(self):
        scenario = self.installed.prefix / "share/septet/scenarios/shipped/eager-chain.toml"
        out = self.installed.call("septet", "run", scenario, "--json", "--output-dir", "result")
        self.assertGreater(json.loads(out)["events"], 0)
        self.assertTrue((self.installed.folder / "result" / "summary.txt").is_file())

    def test_finds_its_profiles_nodes_and_measurements(self):
        names = [line.split()[0] for line in self.installed.call("septet", "hardware").splitlines()]
        shipped = sorted(file.stem for file in (ROOT / "data" / "hardware").glob("*.toml"))
        self.assertEqual(sorted(names), shipped)
        share = self.installed.prefix / "share" / "septet"
        self.installed.call("septet", "bench", "collective", "--gpus", "8", "--topology",
                            share / "scenarios" / "shipped" / "networks" / "hgx-h200.toml")
        self.assertTrue((share / "measurements" / "h200" / "op.jsonl").is_file())

    @unittest.skipUnless(can_hide_folders(), "needs namespaces")
    def test_works_with_the_source_tree_gone(self):
        out = called("unshare", "--map-root-user", "--mount", "sh", "-c",
                     'mount -t tmpfs none "$0" && [ ! -e "$0/data" ] && "$@"', ROOT,
                     self.installed.prefix / "bin" / "septet", "hardware",
                     cwd=self.installed.folder, env=self.installed.environment())
        self.assertIn("h200-sxm", out)

    def test_files_named_by_examples_of_the_help_are_there(self):
        named = []
        for command in ("run", "explain", "validate", "capacity", "plan", "sweep", "config"):
            example = self.installed.call("septet", command, "--help").split("Example")[1]
            words = example.split("Exit codes")[0].split()
            self.assertFalse([word for word in words if word.startswith(("scenarios/", "data/"))])
            named += [word for word in words if word.startswith(str(self.installed.prefix))]
        self.assertGreaterEqual(len(named), 7)
        for word in named:
            self.assertTrue(pathlib.Path(word).exists(), word)
        self.installed.call("septet", "run", *[word for word in named if "fork-join" in word][:1])

    def test_its_texts_name_no_folder_of_the_build(self):
        for file in sorted(self.installed.prefix.rglob("*")):
            if file.is_file() and file.suffix != ".a" and file.parent.name != "bin":
                content = file.read_bytes()
                for folder in (ROOT, BUILD.resolve()):
                    self.assertNotIn(f"{folder}/".encode(), content, file)

    def test_says_which_commit_compiler_and_libraries_it_is_made_of(self):
        out = self.installed.call("septet", "--version")
        self.assertRegex(out, r"^septet \d+\.\d+\.\d+ \(commit (unknown|[0-9a-f]{12}\+?)\)\n"
                              r"compiler: \S+ \d+[^\n]*\n"
                              r"libraries: Boost \d[^\n]*, zlib \d[^\n]*\n$")

    def test_installs_every_header_of_the_libraries(self):
        headers = self.installed.prefix / "include" / "septet"
        wanted = {path.relative_to(ROOT) for layer in ("core", "models", "scenarios")
                  for path in (ROOT / layer).rglob("*.hpp")}
        found = {path.relative_to(headers) for path in headers.rglob("*.hpp")}
        self.assertEqual(found, wanted)

    @unittest.skipUnless(MODULES.exists(), "needs Environment Modules")
    def test_the_module_file_puts_the_command_on_the_path(self):
        modules = self.installed.prefix / "share" / "modulefiles"
        version = re.match(r"septet (\S+)", self.installed.call("septet", "--version")).group(1)
        out = called(MODULES, "sh", "load", f"septet/{version}",
                     env={"PATH": "/usr/bin:/bin", "MODULEPATH": str(modules)})
        self.assertIn(f"PATH={self.installed.prefix}/bin:/usr/bin", out)
        self.assertIn(f"CMAKE_PREFIX_PATH={self.installed.prefix}", out)

    @unittest.skipUnless(has("lua5.3") or has("lua"), "needs Lua")
    def test_the_module_file_of_lmod_does_so_too(self):
        file, = (self.installed.prefix / "share" / "modulefiles" / "septet").glob("*.lua")
        program = f"""
            function myFileName() return "{file}" end
            function pathJoin(a, b) return a .. "/" .. b end
            function prepend_path(name, value) print(name .. "=" .. value) end
            help, whatis, conflict = print, print, print
            dofile("{file}")"""
        out = called("lua5.3" if has("lua5.3") else "lua", "-e", program)
        self.assertIn(f"\nPATH={self.installed.prefix}/bin\n", out)


if __name__ == "__main__":
    unittest.main()
