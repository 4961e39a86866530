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

    def test_finds_the_mate_asked_for(self):
        self.assertIn("the mate is found", self.output("analyze", "--mate", "1", MATE_IN_ONE))

    def test_gives_the_same_answer_every_time(self):
        def answer():
            final = self.objects("analyze", "--reproducible", "--depth", "6")[-1]["final"]
            for name in ("elapsed", "nps"):
                del final["result"][name]
            return final

        self.assertEqual(answer(), answer())

    def test_lets_others_go_first(self):
        self.assertIn("best move", self.output("analyze", "--priority", "batch", "--depth", "2"))
        self.assert_fails(self.kibitz("analyze", "--priority", "urgent"), 2, "--priority")

    def test_draws_the_board_on_request(self):
        text = self.output("analyze", "--board", "--depth", "1", "--moves", "e2e4")
        self.assertTrue(text.startswith("8  r n b q k b n r\n"), text)
        self.assertIn("4  . . . . P . . .\n", text)
        self.assertIn("Black to move\n", text)
        self.assert_fails(self.kibitz("analyze", "--board", "--json"), 2, "--board")

    def test_answers_each_line_of_a_file(self):
        text = self.output("analyze", "-", "--depth", "2", stdin=f"{MATE_IN_ONE}\n{program.START}\n")
        self.assertEqual(text.count("best move"), 2)

    def test_gives_its_result_before_a_timeout(self):
        # The server leaves 2 % of the time for the way of the result, which a busy machine may need more of.
        for seconds in ("0.5", "2", "8", "32"):
            result = self.kibitz("analyze", "--infinite", "--timeout", seconds)
            if result.returncode == 0:
                self.assertRegex(result.stdout, r"(?m)^best move .*; the deadline is near")
                return
        self.fail(result)

    def test_refuses_a_depth_out_of_range(self):
        self.assert_fails(self.kibitz("analyze", "--depth", "0"), 1, "error: limits.depth: ", "kibitz info")


class EmbeddedAnalyzeTest(AnalyzeCases, program.ProgramTest):
    pass


class TerminalAnalyzeTest(program.ProgramTest):
    UP_TWO_AND_WIPE = "\x1b[2A\r\x1b[J"

    def test_redraws_a_table_in_place(self):
        terminal = self.terminal("analyze", "--depth", "10", NO_COLOR="1")
        self.assertEqual(terminal.finish(), 0)
        *drawn, last = terminal.shown.replace("\r\n", "\n").split(self.UP_TWO_AND_WIPE)
        self.assertGreaterEqual(len(drawn), 1)
        for table in drawn:
            self.assertRegex(table, r"^depth \d+/\d+  .* nodes  .*/s  hash .* %  .*s\n  1\. +[-+]\d+\.\d\d  \S.*\n$")
        self.assertRegex(last, r"^depth 10/\d+ .*\n  1\. .*\nbest move  \S+ \([a-h1-8]{4}\), expecting .*; the depth is complete")

    def test_writes_lines_on_a_dumb_terminal(self):
        terminal = self.terminal("analyze", "--depth", "4", TERM="dumb")
        self.assertEqual(terminal.finish(), 0)
        self.assertNotIn("\x1b", terminal.shown)

    def test_prints_the_best_move_so_far_at_ctrl_c(self):
        terminal = self.terminal("analyze", "--infinite", "--multipv", "3", NO_COLOR="1")
        terminal.wait_for("\x1b[4A")  # drawn again
        terminal.type("\x03")
        self.assertEqual(terminal.finish(), 130)
        self.assertRegex(terminal.shown, r"  3\. .*\r\nbest move  \S+ \([a-h1-8]{4}\).*; stopped after ")
        self.assertNotIn("error", terminal.shown)


class ServedAnalyzeTest(AnalyzeCases, program.Served, program.ProgramTest):
    pass


if __name__ == "__main__":
    xml_unittest.main()
