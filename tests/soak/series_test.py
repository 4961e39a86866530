"""What counts as flat."""

import random
import unittest

from tests.soak.series import Gauge, judge, medians, slope
from tests.suite import xml_unittest

_MEMORY = Gauge("memory", "MB", 0.05, 16)


class SeriesTest(unittest.TestCase):

    def test_slope_of_a_line(self):
        self.assertAlmostEqual(slope([3 + 2 * second for second in range(50)]), 2)

    def test_slope_does_not_heed_wild_values(self):
        values = [3 + 2 * second for second in range(50)]
        values[10] = values[49] = 100_000
        self.assertAlmostEqual(slope(values), 2, delta=0.2)

    def test_medians_cover_all_values(self):
        self.assertEqual(medians(list(range(10)), 5), [0.5, 2.5, 4.5, 6.5, 8.5])
        self.assertEqual(medians([7], 5), [7])
        self.assertEqual(len(medians(list(range(1001)), 60)), 59)

    def test_noise_is_flat(self):
        chance = random.Random(1)
        verdict = judge(_MEMORY, [chance.gauss(200, 20) for _ in range(1800)], 360)
        self.assertTrue(verdict.flat, verdict)

    def test_a_leak_is_not(self):
        chance = random.Random(1)
        verdict = judge(_MEMORY, [chance.gauss(200, 20) + second / 30 for second in range(1800)], 360)
        self.assertFalse(verdict.flat, verdict)
        self.assertAlmostEqual(verdict.growth, 1440 / 30, delta=6)

    def test_the_warm_up_does_not_count(self):
        self.assertTrue(judge(_MEMORY, list(range(360)) + [360] * 1440, 360).flat)

    def test_what_shrinks_is_flat(self):
        self.assertTrue(judge(_MEMORY, [1000 - second / 10 for second in range(1800)], 0).flat)


if __name__ == "__main__":
    xml_unittest.main()
