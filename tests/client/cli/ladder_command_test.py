"""`kibitz ladder`: the scale and its picture from records. (The games are those of `kibitz match`.)"""

import os
import pathlib
import tempfile
from xml.etree import ElementTree

from tests.client.cli import program
from tests.suite import xml_unittest


def game(white, black, result):
    return f'[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n1. e4 {result}\n\n'


class LadderTest(program.ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def record(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def test_fits_the_games_of_several_records(self):
        first = self.record("first.pgn", game("kibitz", "toga2", "1-0") * 3 + game("toga2", "kibitz", "1-0"))
        second = self.record("second.pgn", game("kibitz", "stockfish", "0-1") * 9 + game("kibitz", "stockfish", "1-0"))
        docs = self.folder / "new" / "docs"
        table = self.output("ladder", "--fit-only", first, second, "--docs", "elsewhere", "--docs", str(docs))
        names = [line.split("|")[2].strip() for line in table.splitlines()[2:]]
        self.assertEqual(names, ["stockfish", "kibitz", "toga2"])
        page = (docs / "ladder.md").read_text()
        self.assertIn("from 14 games", page)
        self.assertIn(table, page)
        picture = ElementTree.parse(docs / "ladder.svg").getroot()
        self.assertEqual(len(picture.findall("{http://www.w3.org/2000/svg}circle")), 3)

    def test_says_that_a_record_is_missing_or_not_ours(self):
        self.assert_fails(self.kibitz("ladder", "--fit-only", "/no/such.pgn"), 1, "/no/such.pgn")
        foreign = self.record("foreign.pgn", game("a", "b", "1-0"))
        self.assert_fails(self.kibitz("ladder", "--fit-only", foreign), 1, "no game of kibitz")

    def test_refuses_engines_it_does_not_know(self):
        self.assert_fails(self.kibitz("ladder", "--engines", "deepblue"), 2, "deepblue")


if __name__ == "__main__":
    xml_unittest.main()
