"""Keeps this tree to its layers."""

import pathlib
import unittest

from tests.house import layers
from tests.suite import xml_unittest


class TreeTest(unittest.TestCase):
    def test_keeps_to_its_layers(self):
        # Bazel's copy of this file is a link into the tree.
        problems = layers.check_tree(pathlib.Path(__file__).resolve().parents[2])
        self.assertFalse(problems, "\n" + "\n".join(problems))


if __name__ == "__main__":
    xml_unittest.main()
