"""Every call of the service, over a socket, as a Python program makes it."""

import queue

import grpc

from tests.integration.service import (KIWIPETE, PATIENCE, START, ServiceTest, analysis_pb2, health_pb2, position_pb2,
                                       reflection_pb2, reflection_pb2_grpc)
from tests.suite import xml_unittest


class LegalMovesTest(ServiceTest):

    def test_lists_the_moves_of_the_start_position(self):
        response = self.legal_moves()
        self.assertEqual(response.fen, START)
        self.assertEqual(len(response.moves), 20)
        self.assertEqual([move.uci for move in response.moves], sorted(move.uci for move in response.moves))
        self.assertIn(("g1f3", "Nf3"), [(move.uci, move.san) for move in response.moves])

    def test_plays_the_moves_of_the_game(self):
        response = self.legal_moves(moves=["e2e4", "e7e5", "g1f3"])
        self.assertEqual(response.fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
        self.assertEqual(response.side_to_move, position_pb2.COLOR_BLACK)

    def test_tells_that_the_game_is_over(self):
        response = self.legal_moves(moves=["f2f3", "e7e5", "g2g4", "d8h4"])
        self.assertEqual(response.status, position_pb2.GAME_STATUS_CHECKMATE)
        self.assertEqual(len(response.moves), 0)

    def test_castles_in_chess960(self):
        response = self.legal_moves(fen="4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1", variant=position_pb2.VARIANT_CHESS960)
        castling = {move.uci: move.san for move in response.moves if move.castling}
        self.assertEqual(castling, {"f1g1": "O-O", "f1b1": "O-O-O"})

    def test_remembers_repetitions(self):
        response = self.legal_moves(moves=["g1f3", "g8f6", "f3g1", "f6g8"] * 2)
        self.assertEqual(response.repetitions, 3)
        self.assertEqual(response.status, position_pb2.GAME_STATUS_THREEFOLD_REPETITION)


class PerftTest(ServiceTest):

    def test_counts_known_totals(self):
        for fen, depth, nodes in [(START, 5, 4_865_609), (KIWIPETE, 4, 4_085_603),
                                  ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624)]:
            with self.subTest(fen=fen):
                divide, total = self.perft(depth, fen)
                self.assertEqual(total, nodes)
                self.assertEqual(sum(divide.values()), nodes)

    def test_divides_by_root_move(self):
        divide, _ = self.perft(3)
        self.assertEqual(len(divide), 20)
        self.assertEqual(divide["e2e4"], 600)

    def test_threads_and_hash_change_nothing(self):
        expected = self.perft(4, KIWIPETE, threads=1)
        for threads, hash_mb in [(0, 0), (1, 16), (self.info().workers, 16)]:
            with self.subTest(threads=threads, hash_mb=hash_mb):
                self.assertEqual(self.perft(4, KIWIPETE, threads=threads, hash_mb=hash_mb), expected)

    def test_the_total_of_a_mate_is_zero(self):
        self.assertEqual(self.perft(2, "3R2k1/5ppp/8/8/8/8/8/7K b - - 0 1"), ({}, 0))


class AnalyzeTest(ServiceTest):

    def test_finds_a_mate(self):
        request = analysis_pb2.AnalyzeRequest(
            position=position_pb2.Position(fen="6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"),
            limits=analysis_pb2.Limits(depth=3))
        *updates, last = self.stub.Analyze(request, timeout=PATIENCE)
        self.assertTrue(all(update.HasField("update") for update in updates))
        self.assertEqual(last.final.best_move, "d1d8")
        line = last.final.result.lines[0]
        self.assertEqual(line.score.mate_in_moves, 1)
        self.assertEqual(line.pv_san[0], "Rd8#")
        self.assertEqual(last.final.stop_reason, analysis_pb2.STOP_REASON_DEPTH)

    def test_obeys_its_time(self):
        limits = analysis_pb2.Limits()
        limits.movetime.FromMilliseconds(200)
        *_, last = self.stub.Analyze(analysis_pb2.AnalyzeRequest(limits=limits), timeout=PATIENCE)
        self.assertEqual(last.final.stop_reason, analysis_pb2.STOP_REASON_TIME)
        self.assertGreaterEqual(last.final.result.elapsed.ToMilliseconds(), 200)

    def test_gives_the_same_answer_twice(self):
        request = analysis_pb2.AnalyzeRequest(limits=analysis_pb2.Limits(nodes=30_000), reproducible=True)
        answers = []
        for _ in range(2):
            *_, last = self.stub.Analyze(request, timeout=PATIENCE)
            last.final.result.ClearField("elapsed")
            last.final.result.ClearField("nps")
            answers.append(last)
        self.assertEqual(*answers)

    def test_converses_in_a_session(self):
        """Go, stop, another position, a refusal and a ponder hit, as a program in another language would say them."""
        said = queue.Queue()
        session = self.stub.AnalyzeSession(iter(said.get, None), timeout=PATIENCE)

        def go(ponder=False, **request):
            said.put(analysis_pb2.AnalyzeSessionRequest(go={"request": request, "ponder": ponder}))

        def answer():
            for response in session:
                if response.HasField("refused") or response.analysis.HasField("final"):
                    return response
            return None

        go(limits={"infinite": True})
        self.assertTrue(next(session).analysis.HasField("update"))
        said.put(analysis_pb2.AnalyzeSessionRequest(stop={}))
        self.assertEqual(answer().analysis.final.stop_reason, analysis_pb2.STOP_REASON_CANCELLED)
        go(limits={"depth": 3}, position={"moves": ["e2e4"]})
        final = answer()
        self.assertEqual((final.go, final.analysis.final.stop_reason), (2, analysis_pb2.STOP_REASON_DEPTH))
        go(position={"fen": "nonsense"})
        self.assertEqual(answer().refused.field, "position.fen")
        go(ponder=True, limits={"movetime": {"nanos": 1_000_000}})
        self.assertTrue(next(session).analysis.HasField("update"))
        said.put(analysis_pb2.AnalyzeSessionRequest(ponder_hit={}))
        self.assertEqual(answer().analysis.final.stop_reason, analysis_pb2.STOP_REASON_TIME)
        said.put(None)
        self.assertIsNone(answer())
        self.assertEqual(session.code(), grpc.StatusCode.OK)

    def test_plays_below_full_strength(self):
        *_, last = self.stub.Analyze(analysis_pb2.AnalyzeRequest(strength_elo=1500), timeout=PATIENCE)
        self.assertNotEqual(last.final.best_move, "")
        self.assertLess(last.final.result.nodes, 2000)


class OtherCallsTest(ServiceTest):

    def test_gives_bitboards(self):
        response = self.stub.Bitboards(position_pb2.BitboardsRequest(square="d1"), timeout=PATIENCE)
        self.assertEqual(response.occupied, 0xffff00000000ffff)
        self.assertEqual({attacks.squares for attacks in response.attacks}, {0x1c14})
        self.assertEqual({attacks.method for attacks in response.attacks},
                         {"classical rays", "blockers and beyond", "hyperbola quintessence", "magic", "pext"})

    def test_tells_about_the_server(self):
        info = self.info()
        self.assertIn("Kibitz", info.version)
        self.assertGreaterEqual(info.workers, 1)
        self.assertEqual(info.caps.max_moves, 12_000)
        self.assertEqual(info.caps.max_message_bytes, 96 << 10)

    def test_is_healthy(self):
        for service in ["", "kibitz.v1.AnalysisService"]:
            check = self.health.Check(health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE)
            self.assertEqual(check.status, health_pb2.HealthCheckResponse.SERVING)

    def test_knows_no_other_service(self):
        request = health_pb2.HealthCheckRequest(service="other")
        self.assertEqual(self.fault(lambda: self.health.Check(request, timeout=PATIENCE)).code,
                         grpc.StatusCode.NOT_FOUND)

    def test_describes_itself_by_reflection(self):
        reflection = reflection_pb2_grpc.ServerReflectionStub(self.channel)
        requests = [
            reflection_pb2.ServerReflectionRequest(list_services=""),
            reflection_pb2.ServerReflectionRequest(file_containing_symbol="kibitz.v1.AnalysisService"),
        ]
        listing, description = reflection.ServerReflectionInfo(iter(requests), timeout=PATIENCE)
        names = {service.name for service in listing.list_services_response.service}
        self.assertLessEqual({"kibitz.v1.AnalysisService", "grpc.health.v1.Health"}, names)
        self.assertIn(b"LegalMoves", description.file_descriptor_response.file_descriptor_proto[0])


if __name__ == "__main__":
    xml_unittest.main()
