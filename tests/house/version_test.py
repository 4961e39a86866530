"""Keeps the places that speak of the version to the one that says it."""

import pathlib
import re
import unittest

from tests.suite import xml_unittest

# Bazel's copy of this file is a link into the tree.
ROOT = pathlib.Path(__file__).resolve().parents[2]


class VersionTest(unittest.TestCase):
    def test_the_changelog_begins_with_the_version_of_the_sources(self):
        version = re.search(r'"Kibitz (\d+\.\d+\.\d+)"', (ROOT / "engine" / "engine.cc").read_text())[1]
        chapters = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
        self.assertRegex(chapters[0], rf"^{re.escape(version)}, (not yet released|\d{{4}}-\d\d-\d\d)$")
        for chapter in chapters[1:]:
            self.assertRegex(chapter, r"^\d+\.\d+\.\d+, \d{4}-\d\d-\d\d$")

    def test_the_launcher_knows_every_variant_of_the_build(self):
        configurations = set(re.findall(r"^build:(x86-64-\S+)", (ROOT / ".bazelrc").read_text(), re.MULTILINE))
        known = re.findall(r'\.name = "([^"]+)"', (ROOT / "deploy" / "launcher" / "variants.cc").read_text())
        self.assertEqual(sorted(configurations), sorted(known))


if __name__ == "__main__":
    xml_unittest.main()
