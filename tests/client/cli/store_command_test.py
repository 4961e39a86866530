"""`kibitz store`, on a file that a real server has written."""

import json
import pathlib
import tempfile
import time

from tests.client.cli import program
from tests.suite import xml_unittest


class StoreCommandTest(program.ProgramTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.store = str(cls.folder / "results.db")
        server = program.Server("--store", cls.store)
        cls.addClassCleanup(server.stop)
        cls.address = server.address

    def setUp(self):
        for moves in ("", "e2e4", "e2e4 e7e5"):
            self.output("analyze", "--depth", "4", "--moves", moves, "--server", self.address)
        # They are written a little later.
        deadline = time.monotonic() + program.PATIENCE
        while len(self.exported()) < 3:
            self.assertLess(time.monotonic(), deadline)

    def exported(self, path=None):
        return program.parse_lines(self.output("store", "export", path or self.store))

    def test_tells_what_is_in_it(self):
        text = self.output("store", "stats", self.store)
        self.assertRegex(text, r"(?m)^results +3$")
        self.assertRegex(text, r"(?m)^depth 0 to 9 +3$")
        self.assertRegex(text, r"(?m)^by Kibitz .*, net [0-9a-f]{16} +3$")

    def test_goes_out_and_in(self):
        lines = self.exported()
        self.assertEqual([line["position"] for line in lines], sorted(line["position"] for line in lines))
        self.assertEqual({line["depth"] for line in lines}, {4})
        self.assertTrue(all(line["analysis"]["lines"][0]["pvSan"] for line in lines))
        other = str(self.folder / "other.db")
        text = "".join(json.dumps(line) + "\n" for line in lines)
        self.assertEqual(self.output("store", "import", other, stdin=text), "read 3 lines; the store has 3 results\n")
        self.assertEqual(self.exported(other), lines)
        # Once more changes nothing.
        self.output("store", "import", other, stdin=text)
        self.assertEqual(self.exported(other), lines)

    def test_says_which_line_is_bad(self):
        path = str(self.folder / "bad.db")
        good = json.dumps(self.exported()[0])
        found = json.loads(good)["found"]
        for bad, words in (("{", "no JSON object"), ("{}", "analysis"), (good.replace('"lines"', '"rows"', 1), "lines"),
                           (good.replace(found, "soon"), "found")):
            result = self.kibitz("store", "import", path, stdin=good + "\n" + bad + "\n")
            self.assert_fails(result, 1, "line 2: ", words)
        self.assertEqual(self.exported(path), [])

    def test_checks_and_prunes(self):
        self.assertEqual(self.output("store", "check", self.store), "the file is whole: 3 results\n")
        copy = str(self.folder / "copy.db")
        old, *new = self.exported()
        lines = [{**old, "found": "2020-02-02T00:00:00+00:00"}, *new]
        self.output("store", "import", copy, stdin="".join(json.dumps(line) + "\n" for line in lines))
        self.assertEqual(self.output("store", "prune", copy, "--max-mb", "100"), "removed 0 results\n")
        self.assertEqual(self.output("store", "prune", copy, "--older-days", "300"), "removed 1 results\n")
        self.assertEqual(self.exported(copy), new)

    def test_says_what_is_wrong(self):
        self.assert_fails(self.kibitz("store", "stats", str(self.folder / "none.db")), 1, "there is no file")
        broken = self.folder / "broken.db"
        broken.write_bytes(b"x" * 5000)
        for action in ("stats", "check", "export", "prune", "import"):
            self.assert_fails(self.kibitz("store", action, str(broken)), 1, "not a database")
        self.assert_fails(self.kibitz("store"), 2, "subcommand")


if __name__ == "__main__":
    xml_unittest.main()
