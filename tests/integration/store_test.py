"""Results that are stored, and what requests have to say about them."""

import os
import pathlib
import tempfile
import time

import grpc

from tests.integration.service import (KIWIPETE, PATIENCE, Server, ServiceTest, analysis_pb2, analysis_pb2_grpc,
                                       position_pb2, wait_until)
from tests.suite import xml_unittest

_USE, _REFRESH, _ONLY, _NONE = (analysis_pb2.Cache.POLICY_USE, analysis_pb2.Cache.POLICY_REFRESH,
                                analysis_pb2.Cache.POLICY_ONLY, analysis_pb2.Cache.POLICY_NONE)
_FRESH, _STORED, _MIXED = (analysis_pb2.Provenance.SOURCE_FRESH, analysis_pb2.Provenance.SOURCE_STORED,
                           analysis_pb2.Provenance.SOURCE_MIXED)
_KNIGHTS = ["g1f3", "g8f6", "f3g1", "f6g8"]


class StoreTest(ServiceTest):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name) / "results.db"
        cls.flags = ("--store", str(cls.path))
        super().setUpClass()

    def analyze(self, fen="", moves=(), policy=_USE, limits=None, **fields):
        cache = {"policy": policy, **fields.pop("cache", {})}
        request = analysis_pb2.AnalyzeRequest(position=position_pb2.Position(fen=fen, moves=moves), cache=cache,
                                              limits=limits or {"nodes": 3000}, **fields)
        *_, last = self.stub.Analyze(request, timeout=PATIENCE)
        return last.final

    def source(self, *arguments, **fields):
        return self.analyze(*arguments, **fields).provenance.source

    def await_stored(self, *arguments, **fields):
        """It is written a little later. Only the store is asked: a search would add to it."""

        def stored():
            try:
                return self.source(*arguments, **fields, policy=_ONLY) == _STORED
            except grpc.RpcError:
                return False

        return wait_until(stored)

    def test_answers_what_was_asked_before(self):
        first = self.analyze(KIWIPETE)
        self.assertEqual(first.provenance.source, _FRESH)
        self.assertTrue(self.await_stored(KIWIPETE))
        again = self.analyze(KIWIPETE)
        self.assertEqual((again.best_move, again.result.depth, again.result.nodes),
                         (first.best_move, first.result.depth, first.result.nodes))
        self.assertEqual(again.stop_reason, analysis_pb2.STOP_REASON_STORED)
        self.assertEqual(list(again.result.lines[0].pv_san), list(first.result.lines[0].pv_san))
        self.assertEqual(again.provenance.engine, first.provenance.engine)
        self.assertEqual((again.provenance.stored_depth, again.provenance.stored_nodes),
                         (first.result.depth, first.result.nodes))
        self.assertFalse(again.provenance.fresh)
        self.assertLess(abs(time.time() - again.provenance.stored_at.ToSeconds()), 3600)

    def test_does_what_the_request_says(self):
        fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
        self.assertEqual(self.source(fen, policy=_NONE), _FRESH)
        self.assertEqual(self.source(fen, policy=_NONE), _FRESH)
        details = self.fault(lambda: self.analyze(fen, policy=_ONLY))
        self.assertEqual((details.code, details.reason), (grpc.StatusCode.NOT_FOUND, "NOT_STORED"))
        self.assertEqual(self.source(fen, policy=_REFRESH), _FRESH)
        self.assertTrue(self.await_stored(fen))
        self.assertEqual(self.source(fen, policy=_REFRESH), _FRESH)
        self.assertEqual(self.source(fen, policy=_ONLY, limits={"movetime": {"seconds": 1}}), _STORED)

    def test_asks_for_quality(self):
        fen = "rnbqkb1r/pp1ppppp/5n2/2p5/2P5/2N5/PP1PPPPP/R1BQKBNR w KQkq - 2 3"
        self.analyze(fen)
        self.assertTrue(self.await_stored(fen))
        self.assertEqual(self.source(fen, limits={"nodes": 4000}, policy=_REFRESH), _FRESH)
        self.assertEqual(self.source(fen, limits={"nodes": 1_000_000}, cache={"min_nodes": 10}), _STORED)
        self.assertEqual(self.source(fen, limits={"depth": 4}), _STORED)
        self.assertEqual(self.source(fen, limits={"movetime": {"nanos": 1_000_000}}), _MIXED)
        self.assertEqual(self.source(fen, limits={"movetime": {"seconds": 9}}, cache={"min_depth": 3}), _STORED)
        self.assertEqual(self.source(fen, cache={"same_engine": True}), _STORED)
        details = self.fault(lambda: self.analyze(fen, policy=_ONLY, cache={"min_depth": 90}))
        self.assertEqual(details.reason, "NOT_STORED")
        self.assertEqual(self.source(fen, multi_pv=3), _MIXED)
        self.assertTrue(self.await_stored(fen, multi_pv=3))
        self.assertEqual(len(self.analyze(fen, multi_pv=2).result.lines), 2)

    def test_a_search_begins_from_what_is_stored(self):
        fen = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 0 8"
        first = self.analyze(fen, limits={"nodes": 20_000})
        self.assertTrue(self.await_stored(fen, limits={"nodes": 20_000}))
        more = self.analyze(fen, limits={"nodes": 100_000})
        self.assertEqual(more.provenance.source, _MIXED)
        self.assertTrue(more.provenance.fresh)
        self.assertEqual((more.provenance.stored_depth, more.provenance.stored_nodes),
                         (first.result.depth, first.result.nodes))
        self.assertGreaterEqual(more.result.depth, first.result.depth)

    def test_what_hangs_on_the_game_is_not_stored(self):
        for fields in ({"moves": _KNIGHTS}, {"fen": "8/5k2/8/8/3P4/4K3/8/8 w - - 30 90"},
                       {"fen": KIWIPETE, "strength_elo": 1500}, {"fen": KIWIPETE, "search_moves": ["a2a3"]},
                       {"fen": KIWIPETE, "reproducible": True}):
            with self.subTest(fields=fields):
                for _ in range(3):
                    self.assertEqual(self.source(**fields), _FRESH)

    def test_the_clocks_are_not_part_of_a_position(self):
        board = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq -"
        self.analyze(board + " 1 5")
        self.assertTrue(self.await_stored(board + " 5 20"))

    def test_bad_requests(self):
        self.assert_invalid(lambda: self.analyze(policy=9), "cache.policy", "UNKNOWN_ENUM_VALUE")
        self.assert_invalid(lambda: self.analyze(cache={"min_depth": -1}), "cache.min_depth", "OUT_OF_RANGE")
        self.assert_invalid(lambda: self.analyze(cache={"min_nodes": -1}), "cache.min_nodes", "OUT_OF_RANGE")

    def test_batches_and_reviews_use_it_too(self):
        pgn = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be2 e5 7. Nb3 Be7 8. O-O O-O *"
        request = analysis_pb2.AnalyzeGameRequest(pgn=pgn, budget={"nodes_per_move": 3000})

        def review():
            plies, summary = {}, None
            for event in self.stub.AnalyzeGame(request, timeout=PATIENCE):
                if event.HasField("ply"):
                    plies[event.ply.review.ply] = event.ply.review
                if event.HasField("summary"):
                    summary = event.summary
            return plies, summary

        first, _ = review()
        moves = [first[ply].uci for ply in sorted(first)]
        every = analysis_pb2.AnalyzeBatchRequest(
            positions=[position_pb2.Position(moves=moves[:ply]) for ply in range(len(moves) + 1)],
            limits={"nodes": 3000}, cache={"policy": _ONLY})
        stored = lambda: all(event.item.HasField("final") for event in self.stub.AnalyzeBatch(every, timeout=PATIENCE))
        self.assertTrue(wait_until(stored))
        second, summary = review()
        self.assertEqual(summary.provenance.source, _STORED)
        self.assertEqual({ply: each.judgement for ply, each in first.items()},
                         {ply: each.judgement for ply, each in second.items()})
        self.assertTrue(summary.provenance.HasField("stored_at"))
        batch = analysis_pb2.AnalyzeBatchRequest(positions=[position_pb2.Position(moves=["e2e4"])],
                                                 limits={"nodes": 3000})
        [event] = self.stub.AnalyzeBatch(batch, timeout=PATIENCE)
        self.assertEqual(event.item.final.provenance.source, _STORED)


class StoreFaultsTest(ServiceTest):
    """A file that cannot be used takes nothing away but itself."""

    def serve(self, path):
        server = Server("--store", str(path))
        self.addCleanup(server.stop)
        channel = grpc.insecure_channel(server.address, options=[("grpc.use_local_subchannel_pool", 1)])
        self.addCleanup(channel.close)
        return server, analysis_pb2_grpc.AnalysisServiceStub(channel)

    def assert_searches(self, stub):
        request = analysis_pb2.AnalyzeRequest(limits={"nodes": 2000})
        *_, last = stub.Analyze(request, timeout=PATIENCE)
        self.assertEqual(last.final.provenance.source, _FRESH)

    def test_a_broken_file(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "results.db"
        path.write_bytes(os.urandom(1 << 16))
        server, stub = self.serve(path)
        for _ in range(3):
            self.assert_searches(stub)
        server.signal()
        code, errors = server.wait()
        self.assertEqual(code, 0)
        self.assertEqual(errors.count("cannot be used"), 1, errors)

    def test_no_folder(self):
        server, stub = self.serve("/nonexistent/results.db")
        self.assert_searches(stub)
        server.signal()
        self.assertEqual(server.wait()[0], 0)


if __name__ == "__main__":
    xml_unittest.main()
