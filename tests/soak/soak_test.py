"""A few seconds of the soak: no client sees what it may not see, and the server is as it was."""

import unittest

from tests.soak import soak
from tests.suite import xml_unittest

_SECONDS = 8


class SoakTest(unittest.TestCase):

    def test_a_few_seconds(self):
        result = soak.run(_SECONDS, print)
        print(*result.verdicts(), sep="\n")
        self.assertEqual(result.faults, [])
        for gauge, values in result.samples.items():
            self.assertEqual(len(values), _SECONDS, gauge.name)
        self.assertGreater(sum(result.samples[soak.CALLS]), 0)
        self.assertIn("| resident memory |", soak.summarise(result, "A soak"))
        self.assertIn("</svg>", soak.draw(result, "A soak"))


if __name__ == "__main__":
    xml_unittest.main()
