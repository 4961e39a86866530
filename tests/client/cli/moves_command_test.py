"""`kibitz moves`, by itself and against a real server."""

from tests.client.cli import program
from tests.suite import xml_unittest


class MovesCases:
    def test_lists_the_moves_of_the_starting_position(self):
        text = self.output("moves")
        table = program.rows(text, "san")
        self.assertEqual(len(table), 20)
        self.assertIn(["Nf3", "g1f3", "knight"], table)
        self.assertIn(program.START, text)

    def test_takes_a_fen_quoted_or_not(self):
        quoted = self.output("moves", program.KIWIPETE)
        self.assertEqual(self.output("moves", *program.KIWIPETE.split()), quoted)
        self.assertEqual(len(program.rows(quoted, "san")), 48)

    def test_tells_what_each_move_does(self):
        table = program.rows(self.output("moves", "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"), "san")
        self.assertIn(["O-O", "e1g1", "king", "castling"], table)
        self.assertIn(["exd6", "e5d6", "pawn", "pawn", "en", "passant"], table)
        self.assertIn(["bxa8=Q+", "b7a8q", "pawn", "rook", "promotes", "to", "queen,", "check"], table)

    def test_plays_moves_first(self):
        self.assertIn("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
                      self.output("moves", "--moves", "e2e4 e7e5"))

    def test_tells_how_the_game_stands(self):
        mated = self.output("moves", "--moves", "f2f3 e7e5 g2g4 d8h4")
        self.assertRegex(mated, r"status +checkmate\nin check +yes\nmoves +0\n")
        self.assertRegex(self.output("moves", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), r"status +stalemate\nin check +no\n")

    def test_counts_repetitions(self):
        shuffle = "g1f3 g8f6 f3g1 f6g8 " * 2
        self.assertRegex(self.output("moves", "--moves", shuffle), r"threefold repetition.*\n.*\nstood +3 times\n")

    def test_plays_chess960(self):
        fen = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKR1N w KQkq - 0 1"
        moves = self.objects("moves", fen, "--chess960")[0]["moves"]
        self.assertIn(("e1f1", "O-O"), [(move["uci"], move["san"]) for move in moves])

    def test_answers_in_json(self):
        [response] = self.objects("moves", "--moves", "e2e4")
        self.assertEqual(response["fen"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
        self.assertEqual(len(response["moves"]), 20)
        self.assertEqual({move["uci"]: move["san"] for move in response["moves"]}["g8f6"], "Nf6")
        self.assertIs(response["inCheck"], False)
        self.assertEqual(response["status"], "GAME_STATUS_ONGOING")

    def test_reads_positions_from_standard_input(self):
        responses = self.objects("moves", "-", stdin=f"# two positions\n\n{program.START}\n  {program.KIWIPETE}  \n")
        self.assertEqual([len(response["moves"]) for response in responses], [20, 48])

    def test_reads_a_last_line_without_its_end(self):
        self.assertEqual(len(self.objects("moves", "-", stdin=program.START)), 1)

    def test_answers_nothing_to_nothing(self):
        self.assertEqual(self.output("moves", "-", stdin=""), "")

    def test_names_bad_lines_and_answers_the_others(self):
        result = self.kibitz("moves", "-", "--json", stdin=f"nonsense\n{program.START}\n8/8/8/8/8/8/8/8 w - - 0 1\n")
        self.assertEqual(result.returncode, 1)
        self.assertEqual([len(response["moves"]) for response in program.parse_lines(result.stdout)], [20])
        errors = result.stderr.splitlines()
        self.assertEqual(len(errors), 2)
        self.assertRegex(errors[0], "^error: line 1: position.fen: ")
        self.assertRegex(errors[1], "^error: line 3: position.fen: .*king")

    def test_refuses_a_bad_fen(self):
        self.assert_fails(self.kibitz("moves", "not a fen"), 1, "error: position.fen: ", "an example: rnbqkbnr/")

    def test_refuses_bytes_that_are_no_text(self):
        self.assert_fails(self.kibitz("moves", b"\xff\xfe/8 w - - 0 1"), 1, "error: ")

    def test_refuses_an_illegal_move(self):
        self.assert_fails(self.kibitz("moves", "--moves", "e2e4 e2e4"), 1, "error: position.moves[1]: ", "e2e4")

    def test_draws_the_board_and_its_bitboards(self):
        text = self.output("moves", "--board")
        self.assertIn("Occupancies", text)
        self.assertIn("  8  r n b q k b n r\n  7  p p p p p p p p\n", text)
        self.assertIn("     Pawns                      Knights                    Bishops\n", text)

    def test_draws_attacks_by_each_method(self):
        text = self.output("moves", "--attacks", "Qd4")
        for method in ("classical rays", "blockers and beyond", "hyperbola quintessence", "magic", "pext"):
            self.assertIn(method, text)
        self.assertIn("22 squares; all 5 methods agree.", text)

    def test_gives_bitboards_in_json(self):
        moves, bitboards = self.objects("moves", "--board")
        self.assertEqual(len(moves["moves"]), 20)
        self.assertEqual(int(bitboards["white"]), 0xFFFF)

    def test_refuses_attacks_of_an_empty_square(self):
        self.assert_fails(self.kibitz("moves", "--attacks", "d4"), 1, "error: ", "--attacks Rd4")


class EmbeddedMovesTest(MovesCases, program.ProgramTest):
    pass


class ServedMovesTest(MovesCases, program.Served, program.ProgramTest):
    pass


if __name__ == "__main__":
    xml_unittest.main()
