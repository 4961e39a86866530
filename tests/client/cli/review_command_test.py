"""`kibitz review` and `kibitz evaluate`, by themselves and against a real server."""

import os
import pathlib
import subprocess
import tempfile

from tests.client.cli import program
from tests.suite import xml_unittest

_GAME = """[White "Master {number}"]
[Black "Pupil"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 {{oh}} 4. Qxf7# 1-0

"""


def _games(count):
    return "".join(_GAME.format(number=number) for number in range(1, count + 1))


class ReviewCases:
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def test_tells_what_went_wrong(self):
        text = self.output("review", self.file("game.pgn", _games(1)), "--nodes", "5000")
        self.assertIn("Game 1: Master 1 - Pupil, 1-0, 7 plies\n", text)
        self.assertRegex(text, r"(?m)^Black +\d+\.\d % +\d+ cp +3 ")
        self.assertRegex(text, r"(?m)^3\.\.\. Nf6 +blunder .*a mate was allowed \(#1\)$")
        self.assertRegex(text, r"(?m)^swing \S{7}$")

    def test_reviews_many_games_from_standard_input(self):
        text = self.output("review", "-", "--depth", "3", stdin=_games(20))
        numbers = [line.split()[1] for line in text.splitlines() if line.startswith("Game ")]
        self.assertEqual(numbers, [f"{number}:" for number in range(1, 21)])

    def test_writes_annotated_games_and_a_page(self):
        pgn, page = self.folder / "out.pgn", self.folder / "out.html"
        self.output("review", self.file("game.pgn", _games(2)), "--nodes", "5000", "--pgn", str(pgn), "--html",
                    str(page))
        text = " ".join(pgn.read_text().split())  # a comment may go on in the next line
        self.assertEqual(text.count("$4 {[%eval #1] Blunder."), 2)
        self.assertIn("oh}", text)
        html = page.read_text()
        self.assertTrue(html.startswith("<!DOCTYPE html>") and html.rstrip().endswith("</html>"))
        self.assertEqual(html.count("<section>"), 2)
        again = self.output("review", str(pgn), "--depth", "2")
        self.assertIn("Game 2: Master 2", again)

    def test_answers_in_json(self):
        events = self.objects("review", self.file("game.pgn", _games(1)), "--nodes", "2000", "--multipv", "2")
        self.assertEqual(events[0]["accepted"]["plies"], 7)
        plies = {event["ply"]["review"]["ply"]: event["ply"]["review"] for event in events if "ply" in event}
        self.assertEqual(sorted(plies), list(range(1, 8)))
        self.assertEqual(plies[6]["judgement"], "JUDGEMENT_BLUNDER")
        self.assertEqual(len(plies[1]["alternatives"]), 1)
        self.assertIs(events[-1]["summary"]["complete"], True)

    def test_judges_one_side(self):
        text = self.output("review", self.file("game.pgn", _games(1)), "--depth", "2", "--side", "white")
        self.assertNotRegex(text, r"(?m)^Black ")

    def test_keeps_to_its_budget(self):
        text = self.output("review", self.file("games.pgn", _games(10)), "--budget", "0.5")
        self.assertIn("Game 10: ", text)

    def test_reviews_what_can_be_read(self):
        path = self.file("odd.pgn", "[White \"J\xf6rg\"]\n\n1. e4 e5\n2. Ke3 *\n\n1. d4 *\n".encode("latin-1"))
        text = self.output("review", path, "--depth", "2")
        self.assertIn("Game 1: Jörg - Black, 2 plies\n", text)
        self.assertIn("\nline 4, column 4: ", text)
        self.assertIn("Game 2: 1 plies\n", text)

    def test_goes_on_after_an_interrupt(self):
        path, out = self.file("games.pgn", _games(30)), str(self.folder / "out.pgn")
        terminal = self.terminal("review", path, "--movetime", "100", "--pgn", out, *self.where)
        terminal.wait_for("Game 1:")
        terminal.type("\x03")
        self.assertEqual(terminal.finish(), 130, terminal.shown)
        self.assertIn("--resume", terminal.shown)
        done = pathlib.Path(out).read_text().count("[White ")
        self.assertTrue(0 < done < 30, done)
        result = self.kibitz("review", path, "--depth", "1", "--pgn", out, "--resume")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"{done} games are done already\n", result.stderr)
        self.assertIn(f"Game {done + 1}: Master {done + 1} ", result.stdout)
        names = [line for line in pathlib.Path(out).read_text().splitlines() if line.startswith("[White ")]
        self.assertEqual(names, [f'[White "Master {number}"]' for number in range(1, 31)])

    def test_says_what_is_wrong(self):
        self.assert_fails(self.kibitz("review", str(self.folder / "none.pgn")), 1, "none.pgn' cannot be read")
        self.assert_fails(self.kibitz("review", self.file("empty.pgn", "\n")), 1, "there is no game")
        game = self.file("game.pgn", _games(1))
        self.assert_fails(self.kibitz("review", game, "--pgn", str(self.folder / "no" / "x")), 1, "cannot be written")
        self.assert_fails(self.kibitz("review", game, "--nodes", "0"), 1, "budget.nodes_per_move")
        self.assert_fails(self.kibitz("review", game, "--resume"), 2, "--pgn")
        self.assert_fails(self.kibitz("review"), 2, "FILE")

    def test_says_that_the_disk_is_full(self):
        result = self.kibitz("review", self.file("game.pgn", _games(1)), "--depth", "1", "--pgn", "/dev/full")
        self.assertEqual(result.returncode, 1)
        self.assertIn("could not be written", result.stderr)

    def test_explains_the_evaluation(self):
        text = self.output("evaluate", program.KIWIPETE)
        self.assertEqual(len(program.rows(text, "term")), 13)
        self.assertRegex(text, r"(?m)^material +\+\d")
        self.assertRegex(text, r"(?m)^White to move: [+-]\d+\.\d\d; wins ")
        self.assertRegex(text, r"(?m)^the net of the searches, net [0-9a-f]{16}$")
        self.assertRegex(text, r"(?m)^8 +r [+-]\d+\.\d\d +\. +\. +\. +\. +\. +\. +r [+-]\d+\.\d\d$")
        [response] = self.objects("evaluate", program.KIWIPETE)
        self.assertEqual(len(response["net"]["pieces"]), 30)
        self.assertAlmostEqual(sum(term["value"] for term in response["terms"]), response["sum"], places=6)
        self.assert_fails(self.kibitz("evaluate", "8/8"), 1, "position.fen")


class EmbeddedReviewTest(ReviewCases, program.ProgramTest):
    def peak_bytes(self, games):
        """The most memory that a review of so many games takes, each of them with a comment of 20 kB."""
        path = self.file("long.pgn", _games(games).replace("{oh}", "{" + "so it goes " * 1_900 + "}"))
        process = subprocess.Popen([program.KIBITZ, "review", path, "--nodes", "1"], stdout=subprocess.PIPE,
                                   env=program.environment())
        shown = process.stdout.read()
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(shown.count(b"\nGame ") + shown.startswith(b"Game "), games)
        return usage.ru_maxrss * 1024

    def test_takes_no_more_memory_for_more_games(self):
        self.assertLess(self.peak_bytes(1_000), self.peak_bytes(100) + (8 << 20))


class ServedReviewTest(ReviewCases, program.Served, program.ProgramTest):
    pass


if __name__ == "__main__":
    xml_unittest.main()
