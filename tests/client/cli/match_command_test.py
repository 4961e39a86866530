"""`kibitz match`: real matches, of the program against itself and of engines that misbehave."""

import json
import os
import pathlib
import tempfile

from tests.client.cli import program
from tests.suite import xml_unittest

FAKE = "tests/client/match/fake_engine"
DUEL = ("--engine", f"cmd={FAKE}", "name=a", "--engine", f"cmd={FAKE}", "name=b", "--depth", "1", "--max-moves", "10")


class MatchTest(program.ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.pgn = self.folder / "games.pgn"

    def match(self, *arguments):
        return json.loads(self.output("match", *arguments, "--json"))

    def test_ends_every_pair_even_against_itself(self):
        result = self.match("--engine", f"cmd={program.KIBITZ} uci", "name=twin", "--nodes", "300", "--games", "8",
                            "--concurrency", "2", "--each", "option.Hash=1", "--max-moves", "60")
        [pairing] = result["pairings"]
        self.assertEqual((pairing["first"], pairing["second"], pairing["games"]), ("kibitz", "twin", 8))
        self.assertEqual(pairing["pairs"], [0, 0, 4, 0, 0])
        self.assertEqual((pairing["crashes"], pairing["illegalMoves"], pairing["timeLosses"]), (0, 0, 0))

    def test_plays_on_with_engines_that_fail(self):
        result = self.match("--engine", f"cmd={FAKE}", "name=good", "--engine", f"cmd={FAKE} crash=3", "name=crash",
                            "--engine", f"cmd={FAKE} illegal=2", "name=cheat", "--gauntlet", "--depth", "1",
                            "--games", "2", "--opening-plies", "2")
        good, crash, cheat = result["players"]
        self.assertEqual((good["won"], good["lost"], good["games"]), (4, 0, 4))
        self.assertEqual((crash["crashes"], cheat["illegalMoves"]), (2, 2))

    def test_stops_when_the_test_is_settled(self):
        result = self.match("--engine", f"cmd={FAKE}", "name=good", "--engine", f"cmd={FAKE} crash=1", "name=bad",
                            "--depth", "1", "--games", "5000", "--sprt", "elo0=0", "elo1=50", "--opening-plies", "2")
        self.assertEqual(result["sprt"]["verdict"], "elo1")
        self.assertGreaterEqual(result["sprt"]["llr"], result["sprt"]["upperBound"])
        self.assertLess(result["games"], 200)

    def fixed_match(self, games, *more):
        return self.match(*DUEL, "--games", str(games), "--pgn", str(self.pgn), *more)

    def test_records_and_resumes(self):
        self.fixed_match(4)
        text = self.pgn.read_text()
        self.assertEqual(text.count("[Round "), 4)
        self.assertIn('[TimeControl "depth=1"]', text)
        # A match that was cut off in its third game goes on there, and keeps what it has.
        kept = "[Event".join(text.split("[Event")[:3])
        for rest in (40, 300, len(text.split("[Event")[3]) - 8):
            self.pgn.write_text(kept + text[len(kept):len(kept) + rest])
            self.assertEqual(self.fixed_match(6, "--resume")["games"], 6)
            resumed = self.pgn.read_text()
            self.assertTrue(resumed.startswith(kept))
            rounds = [line for line in resumed.splitlines() if line.startswith("[Round ")]
            self.assertEqual(sorted(rounds), [f'[Round "{pair}.{game}"]' for pair in (1, 2, 3) for game in (1, 2)])
            # All are found again.
            self.assertEqual(self.fixed_match(6, "--resume")["games"], 6)
            self.assertEqual(self.pgn.read_text(), resumed)

    def test_refuses_to_overwrite_a_record(self):
        self.fixed_match(2)
        result = self.kibitz("match", "--engine", f"cmd={FAKE}", "--depth", "1", "--pgn", str(self.pgn))
        self.assert_fails(result, 1, "exists", "--resume")
        result = self.kibitz("match", *DUEL, "--pgn", str(self.pgn), "--seed", "2", "--resume")
        self.assert_fails(result, 1, "another match")

    def test_saves_what_was_played_before_ctrl_c(self):
        terminal = self.terminal("match", *DUEL, "--games", "100000", "--pgn", str(self.pgn))
        terminal.wait_for("game 1 of ")
        terminal.type("\x03")
        self.assertEqual(terminal.finish(), 130)
        self.assertIn("--resume goes on", terminal.shown)
        self.assertGreaterEqual(self.pgn.read_text().count("[Round "), 1)

    def test_prints_a_line_for_each_game_into_a_pipe(self):
        lines = self.output("match", *DUEL, "--games", "2").splitlines()
        self.assertRegex(lines[0], r"^game 1 of 2: a - b 1/2-1/2, \d+ plies, Draw by ")
        self.assertRegex(lines[1], r"^game 2 of 2: b - a 1/2-1/2, ")
        self.assertIn("a against b, 2 of 2 games", lines[2])
        self.assertEqual(lines[4], "pairs with 0, 1/2, 1, 3/2, 2 points: 0 0 1 0 0")
        self.assertRegex(lines[5], r"^Elo \+0\.0 \+/- 0\.0 ")

    def test_takes_openings_from_files(self):
        epd = self.folder / "openings.epd"
        epd.write_text("4k3/8/8/8/8/8/8/Q3K3 w - - bm Qa8;\n")
        self.fixed_match(2, "--openings", str(epd))
        self.assertEqual(self.pgn.read_text().count('[FEN "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"]'), 2)

    def test_plays_by_a_server_that_all_share(self):
        server = program.Server()
        self.addCleanup(server.stop)
        result = self.match("--engine", f"cmd={FAKE}", "name=fake", "--server", server.address, "--depth", "1",
                            "--games", "2", "--max-moves", "10")
        self.assertEqual((result["players"][0]["name"], result["players"][0]["crashes"]), ("kibitz", 0))
        result = self.kibitz("match", "--engine", f"cmd={FAKE}", "--depth", "1", "--server", "127.0.0.1:1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no server at 127.0.0.1:1", result.stderr)

    def test_explains_wrong_usage(self):
        one = ("match", "--engine", f"cmd={FAKE}")
        self.assert_fails(self.kibitz("match", "--tc", "1"), 2, "needs players")
        self.assert_fails(self.kibitz(*one), 2, "--tc, --st, --nodes or --depth")
        self.assert_fails(self.kibitz(*one, "--tc", "soon"), 2, "'soon' is no clock")
        self.assert_fails(self.kibitz(*one, "speed=2", "--depth", "1"), 2, "'speed' is unknown")
        self.assert_fails(self.kibitz(*one, "--depth", "1", "--sprt", "elo0=5", "elo1=0"), 2, "elo0 must be less")
        self.assert_fails(self.kibitz(*one, "--depth", "1", "--openings", "/nowhere.epd"), 2, "/nowhere.epd")
        self.assert_fails(self.kibitz(*one, "--depth", "1", "--resume"), 2, "--pgn")
        self.assert_fails(self.kibitz(*one, "--depth", "1", "--tablebases", "/nowhere"), 2, "/nowhere", ".rtbw")
        self.assert_fails(self.kibitz(*one, "protocol=xboard", "--nodes", "9"), 2, "no limit of nodes", "tc")
        self.assert_fails(self.kibitz("match", "--engine", "cmd=/no/such", "--depth", "1"), 1, "does not start")

    def test_plays_a_server(self):
        server = program.Server()
        self.addCleanup(server.stop)
        key = self.folder / "key"
        key.write_text("sesame\n")
        result = self.match("--engine", f"server={server.address}", "--nodes", "200", "--games", "2",
                            "--max-moves", "20", "--key-file", str(key))
        self.assertEqual(result["players"][1]["name"], server.address)
        self.assertEqual((result["games"], result["players"][1]["crashes"]), (2, 0))


if __name__ == "__main__":
    xml_unittest.main()
