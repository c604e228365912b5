"""Counts of what passed, failed and was skipped."""

import dataclasses
import xml.etree.ElementTree


@dataclasses.dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0


class Tally(Counts):
    def add_check(self, passed):
        if passed:
            self.passed += 1
        else:
            self.failed += 1

    def add_junit(self, path):
        counts = junit_counts(path)
        self.passed += counts.passed
        self.failed += counts.failed
        self.skipped += counts.skipped
        return counts

    def line(self):
        out = f"{self.passed} passed, {self.failed} failed"
        return out + (f", {self.skipped} skipped" if self.skipped else "")


def junit_counts(path):
    """Counts of one JUnit file of CTest. A test that did not run to its end counts as failed."""
    counts = Counts()
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        status = case.get("status")
        if status == "run":
            counts.passed += 1
        elif status in ("notrun", "disabled") and case.find("skipped") is not None:
            counts.skipped += 1
        else:
            counts.failed += 1
    return counts


def last_lines(text, count):
    lines = text.splitlines(keepends=True)
    cut = len(lines) - count
    return (f"... {cut} lines before\n" if cut > 0 else "") + "".join(lines[-count:])
