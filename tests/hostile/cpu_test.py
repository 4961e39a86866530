"""What a large request costs the threads that serve everybody is linear in its size, and small."""

from tests.hostile import http2, measure
from tests.hostile.target import HostileTest
from tests.integration.service import position_pb2, wait_until
from tests.suite import xml_unittest

OK, INVALID_ARGUMENT, RESOURCE_EXHAUSTED = 0, 3, 8

_CALLS = 10
_BAD_TEXT_SECONDS = 0.012
_LONG_GAME_SECONDS = 0.012
_KEPT_MB = 32

_BAD = b"\xc3\x28"


def _field(number, content):
    """A field of bytes, as Protocol Buffers encode it."""
    length, size = len(content), b""
    while length >= 128:
        size += bytes([length % 128 | 128])
        length //= 128
    return bytes([number << 3 | 2]) + size + bytes([length]) + content


def _texts(number, text, size):
    """As many fields as fit, the last with bad UTF-8."""
    one = _field(number, text)
    return one * (size // len(one)) + _field(number, _BAD)


class CpuTest(HostileTest):

    def cost(self, target, method, request, calls=_CALLS):
        """Processor seconds of the server for one such call, and the calls' status codes."""
        with http2.Connection(target.address) as connection:
            codes = set()

            def call():
                number = connection.open(http2.SERVICE + method)
                connection.write(number, http2.message(request), end=method != "AnalyzeSession")
                codes.add(connection.wait_for_status(number))

            call()  # the first may cost more
            before = measure.cpu_seconds(target.pid)
            for _ in range(calls):
                call()
            return (measure.cpu_seconds(target.pid) - before) / calls, codes

    def test_bad_text_among_many(self):
        target = self.start("--workers", "1")
        size = target.info().caps.max_message_bytes - 64
        for method, wrap, number in [
            ("LegalMoves", lambda texts: _field(1, texts), 2),  # position.moves
            ("Perft", lambda texts: _field(1, texts), 2),
            ("Analyze", lambda texts: texts, 4),  # search_moves
            ("AnalyzeSession", lambda texts: _field(1, _field(1, texts)), 4),  # go.request.search_moves
        ]:
            for text in (b"e2e4", b""):
                with self.subTest(method=method, text=text):
                    request = wrap(_texts(number, text, size))
                    seconds, codes = self.cost(target, method, request)
                    self.say(f"{method}, {len(request)} bytes of {text}: {1000 * seconds:.1f} ms of processor time "
                             f"each, statuses {codes}")
                    self.assertLessEqual(codes, {INVALID_ARGUMENT, RESOURCE_EXHAUSTED})
                    self.assertLess(seconds, _BAD_TEXT_SECONDS)
        self.assert_serves(target)

    def test_long_games(self):
        target = self.start("--workers", "1")
        costs = {}
        for moves in (3_000, 6_000, 12_000):
            position = position_pb2.Position(moves=["g1f3", "g8f6", "f3g1", "f6g8"] * (moves // 4))
            request = position_pb2.LegalMovesRequest(position=position).SerializeToString()
            costs[moves], codes = self.cost(target, "LegalMoves", request, calls=100)
            self.say(f"a game of {moves} moves: {1000 * costs[moves]:.2f} ms of processor time")
            self.assertEqual(codes, {OK})
        self.assertLess(costs[12_000], _LONG_GAME_SECONDS)
        # Twice the moves cost about twice as much; the clock's tick is 0.1 ms here.
        self.assertLess(costs[12_000], 3 * costs[6_000] + 0.0003)

    def test_memory_returns_after_large_requests(self):
        target = self.start("--workers", "1")
        size = target.info().caps.max_message_bytes - 64
        good = position_pb2.LegalMovesRequest(position=position_pb2.Position(moves=["e2e4"] * 12_000))
        requests = [("LegalMoves", _field(1, _texts(2, b"e2e4", size))), ("LegalMoves", good.SerializeToString()),
                    ("Analyze", _texts(4, b"", size)), ("Perft", _field(1, _field(1, bytes(size - 64))))]
        before = target.memory_mb()
        for method, request in requests:
            self.cost(target, method, request, calls=10)
            kept = target.memory_mb() - before
            self.say(f"after 10 requests of {len(request)} bytes to {method}: +{kept:.0f} MB")
        self.assertTrue(wait_until(lambda: target.memory_mb() - before < _KEPT_MB, 5),
                        f"{target.memory_mb() - before:.0f} MB are kept")
        self.assert_serves(target)

    def test_parallel_large_requests_do_not_hold_honest_ones_up(self):
        """Twelve a second held everybody up for seconds."""
        target = self.start("--workers", "1")
        size = target.info().caps.max_message_bytes - 64
        request = http2.message(_field(1, _texts(2, b"", size)))
        honest = measure.HonestClient(target.address)
        try:
            with http2.Connection(target.address) as connection:
                for _ in range(6):
                    calls = [connection.open(http2.SERVICE + "LegalMoves") for _ in range(8)]
                    for call in calls:
                        connection.write(call, request, end=True)
                    for call in calls:
                        self.assertIn(connection.wait_for_status(call), (INVALID_ARGUMENT, RESOURCE_EXHAUSTED))
        finally:
            latencies, failures = honest.leave()
        self.say(f"honest client beside 48 such calls: median {1000 * latencies[len(latencies) // 2]:.0f} ms, "
                 f"worst {1000 * latencies[-1]:.0f} ms")
        self.assertEqual(failures, [])
        self.assertLess(latencies[-1], 2)


if __name__ == "__main__":
    xml_unittest.main()
