"""Whatever a client sends, it gets a clean error with field and reason, and the server stays up (see tearDown)."""

import socket
import struct

import grpc

from tests.integration.service import (PATIENCE, START, ServiceTest, analysis_pb2, position_pb2)
from tests.suite import xml_unittest

_LEGAL_MOVES = "/kibitz.v1.AnalysisService/LegalMoves"


class BadInputTest(ServiceTest):

    def raw(self, request, method=_LEGAL_MOVES):
        """Sends bytes as a request."""
        return self.channel.unary_unary(method)(request, timeout=PATIENCE)

    def perft_call(self, **fields):
        return lambda: list(self.stub.Perft(analysis_pb2.PerftRequest(**fields), timeout=PATIENCE))

    def analyze_call(self, **fields):
        return lambda: list(self.stub.Analyze(analysis_pb2.AnalyzeRequest(**fields), timeout=PATIENCE))

    def test_bad_fens(self):
        for fen, words in [
            ("nonsense", "field"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "king"),
            ("k7/8/8/8/8/8/8/7K x - - 0 1", "side to move"),
            ("kk6/8/8/8/8/8/8/7K w - - 0 1", "king"),
            ("k6P/8/8/8/8/8/8/7K w - - 0 1", "pawn"),
            ("k7/8/8/8/8/8/8/R6K w - - 0 1", "check"),
            (START + " extra", "field"),
            ("k7/8/8/8/8/8/8/7K w - - -1 1", "clock"),
            ("\0", ""),
            ("k7/8/8/8/8/8/8/7K w - \x07 0 1", ""),
            ("\u265a" * 1000, ""),
            ("8/" * 40_000, ""),
            (" " * 1000, ""),
        ]:
            with self.subTest(fen=fen[:50]):
                self.assert_invalid(lambda: self.legal_moves(fen), "position.fen", "INVALID_FEN", words)

    def test_bad_moves(self):
        for moves, place, words in [
            (["e2e5"], 0, "e2e5"),
            (["e2e4", "e7e5", "e4e5"], 2, "e4e5"),
            (["e2e4", "e2e4"], 1, "e2e4"),
            (["Nf3"], 0, "Nf3"),
            ([""], 0, ""),
            (["e2e4q"], 0, "promotes"),
            (["0000"], 0, "0000"),
            (["e2e4", "\0\0\0\0"], 1, ""),
            (["e2e4\n"], 0, ""),
            (["x" * 50_000], 0, ""),
        ]:
            with self.subTest(moves=[move[:20] for move in moves]):
                self.assert_invalid(lambda: self.legal_moves(moves=moves), f"position.moves[{place}]", "ILLEGAL_MOVE",
                                    words)

    def test_a_promotion_that_does_not_say_to_what(self):
        self.assert_invalid(lambda: self.legal_moves("8/P6k/8/8/8/8/8/K7 w - - 0 1", ["a7a8"]), "position.moves[0]",
                            "ILLEGAL_MOVE", "promote")

    def test_too_many_moves(self):
        moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 3_001
        self.assert_invalid(lambda: self.legal_moves(moves=moves), "position.moves", "TOO_MANY_MOVES", "12004")

    def test_100_000_moves(self):
        details = self.fault(lambda: self.legal_moves(moves=["g1f3", "g8f6", "f3g1", "f6g8"] * 25_000))
        self.assertEqual(details.code, grpc.StatusCode.RESOURCE_EXHAUSTED)

    def test_as_many_moves_as_are_allowed(self):
        response = self.legal_moves(moves=["g1f3", "g8f6", "f3g1", "f6g8"] * 3_000)
        self.assertEqual(len(response.moves), 20)
        self.assertEqual(response.status, position_pb2.GAME_STATUS_FIVEFOLD_REPETITION)

    def test_perft_depths(self):
        for depth in [0, -1, 21, 1000, 2**31 - 1, -2**31]:
            with self.subTest(depth=depth):
                self.assert_invalid(self.perft_call(depth=depth), "depth", "OUT_OF_RANGE", str(depth))

    def test_perft_threads_and_hash(self):
        for fields, field in [({"threads": -1}, "threads"), ({"threads": 10_000}, "threads"),
                              ({"hash_mb": -1}, "hash_mb"), ({"hash_mb": 1 << 30}, "hash_mb")]:
            with self.subTest(fields=fields):
                self.assert_invalid(self.perft_call(depth=3, **fields), field, "OUT_OF_RANGE")

    def test_perft_position(self):
        self.assert_invalid(self.perft_call(depth=3, position=position_pb2.Position(fen="?")), "position.fen",
                            "INVALID_FEN")

    def test_analyze_limits(self):
        for fields, field in [({"depth": 0}, "limits.depth"), ({"depth": -7}, "limits.depth"),
                              ({"depth": 1000}, "limits.depth"), ({"nodes": 0}, "limits.nodes"),
                              ({"mate": -3}, "limits.mate"), ({"movetime": {"seconds": -1}}, "limits.movetime"),
                              ({"movetime": {"nanos": -1}}, "limits.movetime"),
                              ({"movetime": {"seconds": 2**62}}, "limits.movetime"),
                              ({"clock": {"black_increment": {"seconds": -5}}}, "limits.clock.black_increment")]:
            with self.subTest(fields=fields):
                self.assert_invalid(self.analyze_call(limits=fields), field, "OUT_OF_RANGE")

    def test_analyze_numbers(self):
        for fields, field in [({"multi_pv": -1}, "multi_pv"), ({"multi_pv": 100_000}, "multi_pv"),
                              ({"threads": 100_000}, "threads"), ({"strength_elo": -1}, "strength_elo"),
                              ({"min_update_interval": {"seconds": -1}}, "min_update_interval")]:
            with self.subTest(fields=fields):
                self.assert_invalid(self.analyze_call(**fields), field, "OUT_OF_RANGE")

    def test_analyze_root_moves(self):
        self.assert_invalid(self.analyze_call(search_moves=["e2e4", "e2e5"]), "search_moves[1]", "ILLEGAL_MOVE", "e2e5")
        self.assert_invalid(self.analyze_call(exclude_moves=["zz"]), "exclude_moves[0]", "ILLEGAL_MOVE", "zz")
        self.assert_invalid(self.analyze_call(search_moves=["e2e4"], exclude_moves=["e2e4"]), "exclude_moves",
                            "NO_MOVES_LEFT")
        self.assert_invalid(self.analyze_call(search_moves=["e2e4"] * 10_000), "search_moves", "TOO_MANY_MOVES")

    def test_unknown_enum_values(self):
        self.assert_invalid(lambda: self.legal_moves(variant=99), "position.variant", "UNKNOWN_ENUM_VALUE", "99")
        call = lambda: self.stub.Bitboards(position_pb2.BitboardsRequest(square="e4", piece=42), timeout=PATIENCE)
        self.assert_invalid(call, "piece", "UNKNOWN_ENUM_VALUE", "42")

    def test_bitboards_squares(self):
        for square in ["e9", "E4", "e", "e44", "\0\0"]:
            call = lambda: self.stub.Bitboards(position_pb2.BitboardsRequest(square=square), timeout=PATIENCE)
            with self.subTest(square=square):
                self.assert_invalid(call, "square", "INVALID_SQUARE")

    def test_invalid_utf8(self):
        for position, field in [(b"\x0a\x02\xff\xfe", "position.fen"), (b"\x12\x04e2e4\x12\x02\xc3\x28", "position.moves[1]")]:
            request = b"\x0a" + bytes([len(position)]) + position
            self.assert_invalid(lambda: self.raw(request), field, "INVALID_UTF8", "UTF-8")

    def test_bytes_that_are_no_message(self):
        for junk in [b"\xff" * 100, b"\x0a\x7f", b"\x0b\x0b\x0b", bytes(range(256))]:
            for method in ["LegalMoves", "Perft", "Analyze", "Bitboards"]:
                with self.subTest(junk=junk[:8], method=method):
                    details = self.fault(lambda: self.raw(junk, f"/kibitz.v1.AnalysisService/{method}"))
                    self.assertEqual((details.code, details.reason),
                                     (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE"))

    def test_unknown_fields_are_ignored(self):
        response = position_pb2.LegalMovesResponse.FromString(self.raw(b"\xf8\x07\x01"))
        self.assertEqual(len(response.moves), 20)

    # What gRPC refuses before it comes to us: the codes are its own.

    def test_oversized_messages(self):
        request = position_pb2.LegalMovesRequest(position=position_pb2.Position(fen="x" * (1 << 20)))
        details = self.fault(lambda: self.raw(request.SerializeToString()))
        self.assertEqual(details.code, grpc.StatusCode.RESOURCE_EXHAUSTED)

    def test_oversized_metadata(self):
        # The server may close the connection after so much.
        with grpc.insecure_channel(self.server.address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
            call = lambda: channel.unary_unary(_LEGAL_MOVES)(b"", timeout=PATIENCE, metadata=[("x-large", "x" * 100_000)])
            self.assertIn(self.fault(call).code, (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE))

    def test_unknown_methods(self):
        for method in ["/kibitz.v1.AnalysisService/Nothing", "/no.Service/AtAll", "/"]:
            with self.subTest(method=method):
                self.assertEqual(self.fault(lambda: self.raw(b"", method=method)).code, grpc.StatusCode.UNIMPLEMENTED)

    def test_peers_that_do_not_speak_grpc(self):
        host, port = self.server.address.split(":")
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        settings = struct.pack(">I", 0)[1:] + b"\x04\x00\x00\x00\x00\x00"
        for junk in [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\0" * 1000, preface, preface + b"\xff" * 100,
                     preface + settings + b"\x00\x00\x01\x01\x05\x00\x00\x00\x01\xff"]:
            with self.subTest(junk=junk[:30]):
                with socket.create_connection((host, int(port)), timeout=PATIENCE) as peer:
                    peer.sendall(junk)

    def test_many_peers_that_say_nothing(self):
        host, port = self.server.address.split(":")
        peers = [socket.create_connection((host, int(port)), timeout=PATIENCE) for _ in range(200)]
        self.assertEqual(len(self.legal_moves().moves), 20)
        for peer in peers:
            peer.close()


if __name__ == "__main__":
    xml_unittest.main()
