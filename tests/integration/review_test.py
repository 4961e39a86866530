"""Games reviewed, as a Python program written from the .proto files has it done."""

import os
import tempfile

import grpc

from tests.integration.reviews import ReviewCalls
from tests.integration.service import START, ServiceTest, analysis_pb2, position_pb2, wait_until
from tests.suite import xml_unittest

# A game that is over quickly, with a blunder that nobody doubts.
_SCHOLARS_MATE = """[Event "Lesson"]
[White "Master"]
[Black "Pupil"]
[Result "1-0"]

1. e4 {[%clk 0:05:00]} e5 2. Bc4 Nc6 3. Qh5 {a threat} Nf6 (3... g6 4. Qf3) 4. Qxf7# 1-0
"""


class ReviewTest(ReviewCalls, ServiceTest):

    def test_reviews_a_game(self):
        accepted, plies, summaries = self.events(self.review(_SCHOLARS_MATE))
        self.assertEqual((accepted.plies, accepted.positions), (7, 8))
        self.assertEqual([(tag.name, tag.value) for tag in accepted.games[0].tags][:2],
                         [("Event", "Lesson"), ("White", "Master")])
        self.assertEqual(sorted(plies), [(0, ply) for ply in range(1, 8)])

        blunder = plies[0, 6]
        self.assertEqual((blunder.san, blunder.side, blunder.move_number), ("Nf6", position_pb2.COLOR_BLACK, 3))
        self.assertEqual(blunder.judgement, analysis_pb2.JUDGEMENT_BLUNDER)
        self.assertEqual([(fact.kind, fact.mate_in_moves) for fact in blunder.facts],
                         [(analysis_pb2.MoveFact.KIND_MATE_ALLOWED, 1)])
        self.assertEqual(blunder.after.score.mate_in_moves, -1)
        self.assertEqual(blunder.after.winning_chance, -1)
        self.assertLess(blunder.accuracy, 30)
        self.assertGreater(len(blunder.best_line.pv_san), 0)
        self.assertNotEqual(blunder.best_line.pv_san[0], "Nf6")

        mate = plies[0, 7]
        self.assertEqual((mate.san, mate.judgement), ("Qxf7#", analysis_pb2.JUDGEMENT_BEST))
        self.assertEqual([fact.kind for fact in mate.facts], [analysis_pb2.MoveFact.KIND_CHECKMATE])
        self.assertEqual(plies[0, 1].clock.ToSeconds(), 300)
        self.assertEqual(plies[0, 1].fen, START)
        for review in plies.values():
            self.assertEqual(review.provenance.source, analysis_pb2.Provenance.SOURCE_FRESH)

        summary = summaries[0]
        self.assertTrue(summary.complete)
        self.assertEqual(summary.moments[0], 6)
        self.assertEqual((summary.white.moves, summary.black.moves), (4, 3))
        self.assertGreater(summary.white.accuracy, summary.black.accuracy)
        self.assertGreater(summary.black.average_centipawn_loss, 100)
        self.assertEqual(sum(count.count for count in summary.black.judgements), 3)
        self.assertEqual(sum(phase.moves for phase in summary.white.phases), 4)
        self.assertEqual(summary.status, position_pb2.GAME_STATUS_CHECKMATE)
        for words in ('[White "Master"]', "[%eval #1] Blunder.", "[%clk 0:05:00]", "a threat", "(3... g6 4. Qf3)", "$4"):
            self.assertIn(words, summary.annotated_pgn.replace("\n", " "))

    def test_several_games_and_one_that_breaks_off(self):
        pgn = _SCHOLARS_MATE + "\n[White \"A\"]\n\n1. d4 d5\n2. Kd3 e5 *\n\n[White \"B\"]\n\n*\n\n1. c4 c5 1/2-1/2\n"
        accepted, plies, summaries = self.events(self.review(pgn))
        self.assertEqual([game.plies for game in accepted.games], [7, 2, 0, 2])
        defect = accepted.games[1].defect
        self.assertEqual((defect.line, defect.column, defect.ply), (11, 4, 3))
        self.assertIn("Kd3", defect.description)
        self.assertEqual(sorted(plies), [(0, ply) for ply in range(1, 8)] + [(1, 1), (1, 2), (3, 1), (3, 2)])
        self.assertTrue(all(summary.complete for summary in summaries.values()))
        self.assertEqual(summaries[3].result, "1/2-1/2")

    def test_a_position_with_moves(self):
        position = position_pb2.Position(fen="bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
                                         moves=["g2g4", "h7h5"], variant=position_pb2.VARIANT_CHESS960)
        accepted, plies, summaries = self.events(self.review(position=position))
        self.assertEqual(sorted(plies), [(0, 1), (0, 2)])
        self.assertEqual(plies[0, 1].move_number, 9)
        self.assertIn("Chess960", summaries[0].annotated_pgn)

    def test_a_game_of_chess960(self):
        pgn = ('[Variant "Chess960"]\n[SetUp "1"]\n[FEN "nrbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN w KQkq - 0 1"]\n\n'
               "1. e4 e5 2. Bc4 Bc5 3. Ng3 Ng6 4. Qe2 Qe7 5. d3 d6 6. Be3 Be6 7. O-O-O O-O-O *\n")
        accepted, plies, summaries = self.events(self.review(pgn))
        self.assertEqual(accepted.games[0].plies, 14, accepted.games[0].defect)
        self.assertEqual((plies[0, 13].san, plies[0, 13].uci), ("O-O-O", "e1b1"))
        self.assertIn('[Variant "Chess960"]', summaries[0].annotated_pgn)
        self.assertFalse(summaries[0].HasField("opening"))

    def test_a_game_of_six_hundred_moves(self):
        # Nobody has to claim a draw.
        there = ["Nf3 Nf6 Ng1 Ng8", "Nc3 Nc6 Nb1 Nb8"]
        moves = " ".join(there[i % 2] for i in range(300))
        accepted, plies, summaries = self.events(self.review(moves + " *", budget={"nodes_per_move": 50}))
        self.assertEqual((accepted.plies, len(plies)), (1200, 1200))
        self.assertTrue(summaries[0].complete)
        self.assertEqual(plies[0, 1200].move_number, 600)

    def test_what_real_files_bring(self):
        pgn = ('\ufeff[Event "Café Möller"]\r\n[White "Ana\u00efs \\"the rook\\""]\r\n[Black "Йохан"]\r\n[Result "*"]\r\n\r\n'
               "{Before the first move} 1.e4 e5 2.Nf3!? $14 Nc6 ; to the end of the line ) }\r\n"
               "% an escaped line\r\n3.Bb5 (3.Bc4 Bc5 (3...Nf6 {[%csl Gd4]}) 4.c3) a6 {[%clk 0:01:02][%emt 0:00:03]} 4.0-0")
        accepted, plies, summaries = self.events(self.review(pgn))
        self.assertFalse(accepted.games[0].HasField("defect"), accepted.games[0].defect)
        self.assertEqual(accepted.games[0].plies, 7)
        self.assertEqual(plies[0, 7].san, "O-O")
        self.assertEqual(plies[0, 6].clock.ToSeconds(), 62)
        text = summaries[0].annotated_pgn.replace("\n", " ")
        for words in ("Café Möller", "Йохан", "(3. Bc4 Bc5", "[%emt 0:00:03]", "[%csl Gd4]", "$14", "Before the first move"):
            self.assertIn(words, text)
        self.assertEqual(summaries[0].result, "*")

    def test_a_part_of_a_game(self):
        _, plies, summaries = self.events(self.review(_SCHOLARS_MATE, side=position_pb2.COLOR_BLACK, first_ply=3))
        self.assertEqual(sorted(plies), [(0, 4), (0, 6)])
        self.assertFalse(summaries[0].HasField("white"))
        _, plies, _ = self.events(self.review(_SCHOLARS_MATE, last_ply=2, multi_pv=3))
        self.assertEqual(sorted(plies), [(0, 1), (0, 2)])
        self.assertEqual(len(plies[0, 1].alternatives), 2)

    def test_the_budget_for_all(self):
        _, plies, summaries = self.events(self.review(_SCHOLARS_MATE, budget={"total_nodes": 16_000}))
        for review in plies.values():
            self.assertLess(review.before.nodes, 4000)
        self.assertLess(summaries[0].nodes, 24_000)
        _, plies, summaries = self.events(self.review(_SCHOLARS_MATE, budget={"total_time": {"nanos": 400_000_000}}))
        self.assertTrue(summaries[0].complete)

    def test_the_deadline_cuts_it_short(self):
        _, plies, summaries = self.events(self.review(_SCHOLARS_MATE, timeout=3, budget={"depth": 60}))
        self.assertFalse(summaries[0].complete)
        self.await_load(0)

    def test_a_cancel_ends_all_of_it(self):
        call = self.review(_SCHOLARS_MATE, budget={"depth": 60})
        self.await_load(self.info().workers)
        call.cancel()
        self.await_load(0)

    def test_bad_requests(self):
        self.assert_invalid(lambda: list(self.review()), "game", "MISSING_FIELD")
        self.assert_invalid(lambda: list(self.review("")), "pgn", "NO_GAME")
        self.assert_invalid(lambda: list(self.review(_SCHOLARS_MATE, first_ply=-1)), "first_ply", "OUT_OF_RANGE")
        self.assert_invalid(lambda: list(self.review(_SCHOLARS_MATE, budget={"nodes_per_move": 0})),
                            "budget.nodes_per_move", "OUT_OF_RANGE")
        self.assert_invalid(lambda: list(self.review(_SCHOLARS_MATE, budget={"total_nodes": -1})), "budget.total_nodes",
                            "OUT_OF_RANGE")
        self.assert_invalid(lambda: list(self.review(_SCHOLARS_MATE, thresholds={"inaccuracy": 0.5})), "thresholds",
                            "OUT_OF_RANGE")
        self.assert_invalid(lambda: list(self.review(_SCHOLARS_MATE, thresholds={"blunder": float("nan")})),
                            "thresholds", "OUT_OF_RANGE")
        self.assert_invalid(lambda: list(self.review(position={"moves": ["e2e5"]})), "position.moves[0]", "ILLEGAL_MOVE")
        self.assert_invalid(lambda: list(self.review("1. Nf3 Nf6 2. Ng1 Ng8 " * 1300)), "pgn", "TOO_MANY_MOVES")
        self.assert_invalid(lambda: list(self.review(_SCHOLARS_MATE, priority=9)), "priority", "UNKNOWN_ENUM_VALUE")

    def test_what_is_too_large(self):
        details = self.fault(lambda: list(self.review("{" + "x" * (1 << 20) + "}")))
        self.assertEqual(details.code, grpc.StatusCode.RESOURCE_EXHAUSTED)


class FilledInTest(ReviewCalls, ServiceTest):

    flags = ("--store", os.path.join(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")), "results.db"))

    def test_every_field_of_the_contract_comes_filled_in(self):
        """Walks all that reviews tell."""
        seen = set()

        def walk(message):
            for field, value in message.ListFields():
                seen.add(field.full_name)
                if field.message_type and field.message_type.full_name.startswith("kibitz"):
                    for each in value if field.label == field.LABEL_REPEATED else [value]:
                        walk(each)

        def name(message, names):
            for field in message.DESCRIPTOR.fields:
                if field.full_name in names:
                    continue
                names.add(field.full_name)
                if field.message_type and field.message_type.full_name.startswith("kibitz"):
                    name(field.message_type._concrete_class, names)
            return names

        games = _SCHOLARS_MATE + "\n1. e4 e5 2. Ke2 Kd8 *\n\n1. e4 e9 *\n"

        def stored():
            """What is found is stored soon after."""
            for event in self.review(games, multi_pv=2, budget={"nodes_per_move": 20_000}):
                walk(event)
            return "kibitz.v1.Provenance.stored_at" in seen

        self.assertTrue(wait_until(stored))
        missing = {each.removeprefix("kibitz.v1.") for each in name(analysis_pb2.AnalyzeGameResponse, set()) - seen}
        self.assertEqual(missing, {"AnalyzeGameResponse.queued", "AnalyzeResponse.Queued.place"}, "nobody waits here")


if __name__ == "__main__":
    xml_unittest.main()
