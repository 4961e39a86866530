"""`kibitz perft`, by itself and against a real server."""

from tests.client.cli import program
from tests.suite import xml_unittest


class PerftCases:
    def test_counts_the_starting_position(self):
        self.assertRegex(self.output("perft", "4"), r"(?m)^depth +4\nnodes +197,281\ntime +\S+ \S+\nspeed +.* nodes/s$")

    def test_divides_by_first_move_in_order(self):
        table = program.rows(self.output("perft", "3", "--divide"), "uci")
        self.assertEqual(len(table), 20)
        self.assertEqual(table, sorted(table))
        self.assertEqual(table[0], ["a2a3", "a3", "380"])
        self.assertEqual(sum(int(nodes.replace(",", "")) for _, _, nodes in table), 8902)

    def test_counts_after_moves(self):
        self.assertRegex(self.output("perft", "2", "--moves", "e2e4 e7e5"), r"nodes +835\n")

    def test_takes_a_fen_in_words(self):
        self.assertRegex(self.output("perft", "3", *program.KIWIPETE.split()), r"nodes +97,862\n")

    def test_counts_chess960(self):
        fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
        self.assertRegex(self.output("perft", "3", fen, "--chess960"), r"nodes +12,189\n")

    def test_counts_the_same_with_any_threads_and_hash(self):
        for flags in ([], ["--threads", "1"], ["--threads", "2", "--hash-mb", "1"], ["--hash-mb", "0"]):
            with self.subTest(flags):
                self.assertRegex(self.output("perft", "4", program.KIWIPETE, *flags), r"nodes +4,085,603\n")

    def test_answers_in_json_with_the_total_last(self):
        [total] = self.objects("perft", "4")
        self.assertEqual(total["nodes"], "197281")
        self.assertIn("nps", total)
        self.assertRegex(total["elapsed"], r"^[0-9.]+s$")

    def test_divides_in_json(self):
        *divides, total = self.objects("perft", "3", "--divide")
        self.assertEqual([divide["uci"] for divide in divides], sorted(divide["uci"] for divide in divides))
        self.assertEqual(len(divides), 20)
        self.assertEqual(divides[-1]["san"], "h4")
        self.assertEqual(sum(int(divide["nodes"]) for divide in divides), int(total["nodes"]))

    def test_counts_each_line_of_standard_input(self):
        result = self.kibitz("perft", "2", "-", "--json", stdin=f"{program.START}\nbad\n{program.KIWIPETE}\n")
        self.assertEqual([total["nodes"] for total in program.parse_lines(result.stdout)], ["400", "2039"])
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^error: line 2: position\.fen: .*\n$")

    def test_names_the_position_it_counted(self):
        text = self.output("perft", "1", "-", stdin=f"{program.START}\n{program.KIWIPETE}\n")
        self.assertIn(f"position  {program.START}\n", text)
        self.assertIn(f"position  {program.KIWIPETE}\n", text)

    def test_counts_nothing_when_the_game_is_over(self):
        self.assertRegex(self.output("perft", "3", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "--divide"), r"nodes +0\n")

    def test_refuses_depths_out_of_range(self):
        for depth in ("0", "1000"):
            with self.subTest(depth):
                self.assert_fails(self.kibitz("perft", depth), 1, "error: depth: ", "kibitz info")

    def test_refuses_more_hash_than_there_is(self):
        self.assertEqual(self.kibitz("perft", "3", "--hash-mb", "100000").returncode, 1)

    def test_gives_up_at_the_timeout(self):
        self.assert_fails(self.kibitz("perft", "12", "--timeout", "0.05"), 1, "did not answer in time", "--timeout")


class EmbeddedPerftTest(PerftCases, program.ProgramTest):
    pass


class ServedPerftTest(PerftCases, program.Served, program.ProgramTest):
    pass


if __name__ == "__main__":
    xml_unittest.main()
