"""The picture of a run is SVG that shows every panel."""

import unittest
import xml.etree.ElementTree

from tests.soak import picture
from tests.suite import xml_unittest

_SVG = "{http://www.w3.org/2000/svg}"


class PictureTest(unittest.TestCase):

    def test_draws_each_line(self):
        root = xml.etree.ElementTree.fromstring(picture.draw("a <run>", [
            ("memory & more", {"": [100, 120, 110]}),
            ("latency", {"median": [1, 2, 1], "p99": [30, 40, 35]}),
        ]))
        self.assertEqual(root.find(_SVG + "title").text, "a <run>")
        self.assertEqual(len(root.findall(_SVG + "polyline")), 3)
        texts = [text.text for text in root.findall(_SVG + "text")]
        for wanted in ("memory & more", "latency", "median", "p99"):
            self.assertIn(wanted, texts)

    def test_long_runs_keep_their_peaks_and_few_points(self):
        values = [1.0] * 100_000
        values[77_777] = 9.0
        root = xml.etree.ElementTree.fromstring(picture.draw("long", [("memory", {"": values})]))
        points = [tuple(map(float, point.split(","))) for point in root.find(_SVG + "polyline").get("points").split()]
        self.assertLess(len(points), 500)
        self.assertEqual(sum(y < points[0][1] for _, y in points), 1)

    def test_nothing_at_all_is_drawn_too(self):
        xml.etree.ElementTree.fromstring(picture.draw("none", [("memory", {"": [0]}), ("threads", {"": []})]))


if __name__ == "__main__":
    xml_unittest.main()
