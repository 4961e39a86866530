"""Many positions in one call, and the evaluation explained, as a Python program asks for them."""

import grpc

from tests.integration.service import KIWIPETE, PATIENCE, START, ServiceTest, analysis_pb2, position_pb2
from tests.suite import xml_unittest

_MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
_STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


class BatchTest(ServiceTest):

    def batch(self, *fens, **fields):
        positions = [position_pb2.Position(fen=fen) for fen in fens]
        limits = fields.pop("limits", {"nodes": 2000})
        request = analysis_pb2.AnalyzeBatchRequest(positions=positions, limits=limits, **fields)
        return self.stub.AnalyzeBatch(request, timeout=fields.pop("timeout", PATIENCE))

    def items(self, call):
        """The items by their index; each comes once."""
        items = [event.item for event in call if event.HasField("item")]
        self.assertEqual(len({item.index for item in items}), len(items))
        return {item.index: item for item in items}

    def test_answers_every_position_once(self):
        fens = [START, KIWIPETE, _MATE_IN_ONE] * 20
        items = self.items(self.batch(*fens))
        self.assertEqual(sorted(items), list(range(len(fens))))
        for index, item in items.items():
            self.assertGreater(item.final.result.nodes, 0)
            if fens[index] == _MATE_IN_ONE:
                self.assertEqual((item.final.best_move, item.final.result.lines[0].score.mate_in_moves), ("a1a8", 1))

    def test_a_bad_position_is_its_own_fault(self):
        items = self.items(self.batch(START, "8/8", KIWIPETE))
        self.assertEqual(sorted(items), [0, 1, 2])
        refused = items[1].refused
        self.assertEqual((refused.code, refused.reason, refused.field),
                         (grpc.StatusCode.INVALID_ARGUMENT.value[0], "INVALID_FEN", "positions[1].fen"))
        self.assertTrue(items[0].HasField("final") and items[2].HasField("final"))

    def test_scores_every_move(self):
        items = self.items(self.batch(START, KIWIPETE, _STALEMATE, all_moves=True, limits={"depth": 3}))
        self.assertEqual([len(items[i].final.result.lines) for i in range(3)], [20, 48, 0])
        self.assertEqual(len({line.pv_uci[0] for line in items[0].final.result.lines}), 20)
        self.assertEqual(items[2].final.status, position_pb2.GAME_STATUS_STALEMATE)

    def test_ten_thousand_positions(self):
        items = self.items(self.batch(*[_MATE_IN_ONE] * 10_000, limits={"depth": 1}))
        self.assertEqual(len(items), 10_000)

    def test_a_client_that_reads_late_gets_all_of_it(self):
        # Far more than may wait to be sent: the searches wait for the reader, and he is not cut off.
        call = self.batch(*[KIWIPETE] * 4000, all_moves=True, limits={"depth": 1})
        self.await_load(0)
        items = self.items(call)
        self.assertEqual(len(items), 4000)
        self.assertGreater(sum(item.ByteSize() for item in items.values()), 8_000_000)

    def test_bad_requests(self):
        self.assert_invalid(lambda: list(self.batch()), "positions", "MISSING_FIELD")
        self.assert_invalid(lambda: list(self.batch(*[""] * 10_001)), "positions", "TOO_MANY_POSITIONS")
        self.assert_invalid(lambda: list(self.batch(START, limits={"infinite": True})), "limits", "UNBOUNDED_BATCH")
        self.assert_invalid(lambda: list(self.batch(START, limits={"depth": -1})), "limits.depth", "OUT_OF_RANGE")
        self.assert_invalid(lambda: list(self.batch(START, multi_pv=-1)), "multi_pv", "OUT_OF_RANGE")
        self.assert_invalid(lambda: list(self.batch(START, threads=1000)), "threads", "OUT_OF_RANGE")

    def test_a_cancel_ends_all_of_it(self):
        call = self.batch(*[START] * 100, limits={"nodes": 2_000_000})
        self.await_load(self.info().workers)
        call.cancel()
        self.await_load(0)

    def test_the_deadline_ends_it(self):
        request = analysis_pb2.AnalyzeBatchRequest(positions=[position_pb2.Position()] * 100,
                                                   limits={"nodes": 50_000_000})
        details = self.fault(lambda: list(self.stub.AnalyzeBatch(request, timeout=2)))
        self.assertEqual(details.code, grpc.StatusCode.DEADLINE_EXCEEDED)
        self.await_load(0)


class LegalMovesBatchTest(ServiceTest):

    def batch(self, *positions, timeout=PATIENCE):
        return self.stub.LegalMovesBatch(analysis_pb2.LegalMovesBatchRequest(positions=positions), timeout=timeout)

    def items(self, call):
        items = [item for response in call for item in response.items]
        self.assertEqual([item.index for item in items], list(range(len(items))))
        return items

    def test_answers_as_single_calls_do(self):
        positions = [
            position_pb2.Position(),
            position_pb2.Position(fen=KIWIPETE),
            position_pb2.Position(moves=["f2f3", "e7e5", "g2g4", "d8h4"]),
            position_pb2.Position(moves=["g1f3", "g8f6", "f3g1", "f6g8"] * 2),
            position_pb2.Position(fen="bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKR1N w KQkq - 0 1",
                                  variant=position_pb2.VARIANT_CHESS960),
        ]
        items = self.items(self.batch(*positions))
        self.assertEqual(len(items), len(positions))
        for position, item in zip(positions, items):
            alone = self.stub.LegalMoves(position_pb2.LegalMovesRequest(position=position), timeout=PATIENCE)
            self.assertEqual(item.moves, alone)

    def test_a_bad_position_is_its_own_fault(self):
        bad = [position_pb2.Position(fen="8/8"), position_pb2.Position(moves=["e2e4", "e2e4"])]
        items = self.items(self.batch(position_pb2.Position(), *bad, position_pb2.Position(fen=KIWIPETE)))
        self.assertEqual([item.WhichOneof("outcome") for item in items], ["moves", "refused", "refused", "moves"])
        self.assertEqual([(item.refused.code, item.refused.reason, item.refused.field) for item in items[1:3]],
                         [(grpc.StatusCode.INVALID_ARGUMENT.value[0], "INVALID_FEN", "positions[1].fen"),
                          (grpc.StatusCode.INVALID_ARGUMENT.value[0], "ILLEGAL_MOVE", "positions[2].moves[1]")])
        self.assertEqual([len(items[i].moves.moves) for i in (0, 3)], [20, 48])

    def test_a_client_that_reads_late_gets_all_of_it(self):
        # Far more than may wait to be sent: the answers wait for the reader, and he is not cut off.
        call = self.batch(*[position_pb2.Position(fen=KIWIPETE)] * 10_000)
        self.await_load(0)
        items = self.items(call)
        self.assertEqual(len(items), 10_000)
        self.assertGreater(sum(item.ByteSize() for item in items), 8_000_000)

    def test_goes_on_beside_searches(self):
        search = analysis_pb2.AnalyzeBatchRequest(positions=[position_pb2.Position()] * 100,
                                                  limits={"nodes": 50_000_000})
        searches = self.stub.AnalyzeBatch(search, timeout=PATIENCE)
        self.await_load(self.info().workers)
        self.assertEqual(len(self.items(self.batch(*[position_pb2.Position()] * 2000))), 2000)
        searches.cancel()
        self.await_load(0)

    def test_bad_requests(self):
        self.assert_invalid(lambda: list(self.batch()), "positions", "MISSING_FIELD")
        self.assert_invalid(lambda: list(self.batch(*[position_pb2.Position()] * 10_001)), "positions",
                            "TOO_MANY_POSITIONS")

    def test_a_cancel_ends_it(self):
        call = self.batch(*[position_pb2.Position(fen=KIWIPETE)] * 10_000)
        next(call)
        call.cancel()
        self.await_load(0)


class EvaluateTest(ServiceTest):

    def evaluate(self, fen=""):
        request = analysis_pb2.EvaluateRequest(position=position_pb2.Position(fen=fen))
        return self.stub.Evaluate(request, timeout=PATIENCE)

    def test_the_terms_add_up(self):
        for fen in (START, KIWIPETE, "8/5k2/8/8/3P4/4K3/8/8 b - - 40 90"):
            with self.subTest(fen=fen):
                response = self.evaluate(fen)
                self.assertEqual([term.kind for term in response.terms], list(range(1, 13)))
                self.assertAlmostEqual(sum(term.value for term in response.terms), response.sum, places=6)
                sign = 1 if response.side_to_move == position_pb2.COLOR_WHITE else -1
                self.assertLess(abs(response.score.centipawns - sign * response.sum), 1)
                self.assertEqual(response.wdl.win + response.wdl.draw + response.wdl.loss, 1000)
                self.assertEqual(response.evaluation, "classical")

    def test_tells_what_the_net_sees(self):
        # A net may like one piece or another less than nothing, but not a side's queen.
        for fen, white_leads in (("4k3/8/8/8/8/8/PP6/3QK3 b - - 0 1", True), ("3qk3/pp6/8/8/8/8/8/4K3 b - - 0 1", False)):
            with self.subTest(fen=fen):
                net = self.evaluate(fen).net
                self.assertRegex(net.evaluation, "^net [0-9a-f]{16}$")
                self.assertEqual(net.lead > 300, white_leads)
                self.assertEqual(net.score.centipawns > 0, not white_leads)
                self.assertEqual(net.wdl.win + net.wdl.draw + net.wdl.loss, 1000)
                self.assertEqual(len(net.pieces), 3)
                queen = next(piece for piece in net.pieces if piece.piece == position_pb2.PIECE_TYPE_QUEEN)
                self.assertEqual(queen.square, "d1" if white_leads else "d8")
                self.assertEqual(queen.color, position_pb2.COLOR_WHITE if white_leads else position_pb2.COLOR_BLACK)
                self.assertEqual(queen.value > 200, white_leads)
        # Without the bishop the king that is not to move would stand in check.
        pieces = self.evaluate("4k3/8/8/8/8/4r3/4B3/4K3 b - - 0 1").net.pieces
        self.assertEqual([piece.square for piece in pieces], ["e3"])

    def test_tells_how_the_game_stands(self):
        response = self.evaluate(_STALEMATE)
        self.assertEqual(response.status, position_pb2.GAME_STATUS_STALEMATE)
        self.assertFalse(response.in_check)
        self.assertTrue(self.evaluate("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").in_check)

    def test_a_bad_position(self):
        self.assert_invalid(lambda: self.evaluate("8/8"), "position.fen", "INVALID_FEN")


if __name__ == "__main__":
    xml_unittest.main()
