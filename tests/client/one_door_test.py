"""Only client/connection.cc opens channels, so that address, key, deadlines and retries have one home."""

import os
import pathlib
import re

import unittest

from tests.suite import xml_unittest

ROOT = pathlib.Path(os.environ["TEST_SRCDIR"]) / os.environ["TEST_WORKSPACE"]
OPENS_A_CHANNEL = re.compile(r"\bCreate\w*Channel\w*\(|\bInProcessChannel\(|create_channel\w*\.h\b")


class OneDoorTest(unittest.TestCase):
    def test_is_the_connection(self):
        sources = sorted((ROOT / "client").rglob("*.cc")) + sorted((ROOT / "client").rglob("*.h"))
        self.assertGreater(len(sources), 100)
        openers = {str(source.relative_to(ROOT)) for source in sources if OPENS_A_CHANNEL.search(source.read_text())}
        self.assertEqual(openers, {"client/connection.cc"})


if __name__ == "__main__":
    xml_unittest.main()
