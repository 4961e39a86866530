"""`kibitz analyze`, by itself and against a real server."""

from tests.client.cli import program
from tests.suite import xml_unittest

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"


class AnalyzeCases:
    def test_finds_a_mate(self):
        text = self.output("analyze", MATE_IN_ONE, "--depth", "3")
        self.assertRegex(text, r"(?m)^ +[0-9]+/[0-9]+ +#1 .* Ra8#$")
        self.assertRegex(text, r"(?m)^best move  Ra8# \(a1a8\);")

    def test_shows_several_lines(self):
        text = self.output("analyze", "--depth", "2", "--multipv", "3")
        for rank in (1, 2, 3):
            self.assertRegex(text, rf"(?m)^ {rank}\. +2/")

    def test_considers_only_the_moves_asked_for(self):
        self.assertRegex(self.output("analyze", "--depth", "2", "--searchmoves", "a2a3"), r"best move  a3 \(a2a3\)")

    def test_answers_in_json_with_the_final_event_last(self):
        *updates, last = self.objects("analyze", MATE_IN_ONE, "--depth", "3")
        self.assertTrue(all("update" in event or "queued" in event for event in updates))
        self.assertEqual(last["final"]["bestMove"], "a1a8")
        self.assertEqual(last["final"]["result"]["lines"][0]["score"]["mateInMoves"], 1)

    def test_says_that_the_game_is_over(self):
        self.assertEqual(self.output("analyze", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), "no move  checkmate\n")

    def test_obeys_nodes_and_time(self):
        self.assertIn("the nodes are used", self.output("analyze", "--nodes", "2000"))
        self.assertIn("the time is used", self.output("analyze", "--movetime", "50"))

    def test_refuses_a_depth_out_of_range(self):
        self.assert_fails(self.kibitz("analyze", "--depth", "0"), 1, "error: limits.depth: ", "kibitz info")


class EmbeddedAnalyzeTest(AnalyzeCases, program.ProgramTest):
    pass


class ServedAnalyzeTest(AnalyzeCases, program.Served, program.ProgramTest):
    pass


if __name__ == "__main__":
    xml_unittest.main()
