"""The repository keeps every rule of the *_rules.py here. One test for each rule."""

import unittest

import layer_rules
import repository
import size_rules
import text_rules
import tree_rules

MODULES = (layer_rules, size_rules, text_rules, tree_rules)


class RepositoryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.repository = repository.load()

    def test_there_are_files(self):
        self.assertIn("core/base/quantity.hpp", self.repository.texts)


def make_test(rule):
    def test(self):
        found = sorted(rule(self.repository))
        if found:
            self.fail("\n" + "\n".join(found))
    return test


for module in MODULES:
    for one in module.RULES:
        setattr(RepositoryTest, f"test_{one.__name__}", make_test(one))

if __name__ == "__main__":
    unittest.main()
