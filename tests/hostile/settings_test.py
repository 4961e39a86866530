"""The server's bounds hold for clients that never acknowledge them, and for requests without an end."""

from tests.hostile import http2, measure
from tests.hostile.target import HostileTest, go
from tests.integration.service import wait_until
from tests.suite import xml_unittest

_MAX_STREAMS = 1024
_MEMORY_MB = 64
_REQUEST_TIME = 15  # seconds within which a request must be complete
_INCOMPLETE = 200


class SettingsTest(HostileTest):

    def settle(self, connection, calls):
        """Reads until every call has an answer or an end."""
        streams = [connection.streams[call] for call in calls]
        connection.wait(lambda: all(stream.messages or stream.ended for stream in streams), 20)
        return streams

    def test_streams_beyond_the_bound_are_refused(self):
        for acknowledge in (True, False):
            with self.subTest(acknowledge=acknowledge):
                target = self.start("--workers", "2")
                with http2.Connection(target.address, acknowledge=acknowledge) as connection:
                    message = http2.message(go(depth=1))
                    calls = [connection.open(http2.SERVICE + "AnalyzeSession", message) for _ in range(3000)]
                    streams = self.settle(connection, calls)
                    served = sum(bool(stream.messages) and not stream.ended for stream in streams)
                    refused = sum(stream.ended for stream in streams)
                    self.say(f"acknowledges {acknowledge}: of 3000 streams {served} served, {refused} refused, "
                             f"connection closed: {connection.closed}")
                    self.assertTrue(connection.closed or served <= _MAX_STREAMS)
                self.assert_serves(target)

    def test_metadata_beyond_the_bound_is_refused(self):
        target = self.start("--workers", "2")
        before = target.memory_mb()
        measure.forget_peak(target.pid)
        for acknowledge in (True, False):
            for size in (20_000, 100_000, 1_000_000, 6_000_000):
                for pieces in (1, 100):
                    with self.subTest(acknowledge=acknowledge, size=size, pieces=pieces):
                        metadata = [("x-large", "x" * (size // pieces))] * pieces
                        with http2.Connection(target.address, acknowledge=acknowledge) as connection:
                            call = connection.open(http2.SERVICE + "LegalMoves", http2.message(b""), end=True,
                                                   metadata=metadata)
                            code = connection.wait_for_status(call)  # gRPC is slow with large headers
                            ended = connection.closed or connection.streams[call].ended
                        self.say(f"acknowledges {acknowledge}, {size} bytes in {pieces} headers: status {code}")
                        self.assertNotEqual(code, 0, "it was answered")
                        self.assertTrue(ended, "it was neither answered nor refused")
        grown = measure.peak_mb(target.pid) - before
        self.say(f"+{grown:.0f} MB at the most")
        self.assertLess(grown, _MEMORY_MB)
        self.assert_serves(target)

    def test_metadata_within_the_bound_is_fine(self):
        target = self.start("--workers", "2")
        for acknowledge in (True, False):
            with http2.Connection(target.address, acknowledge=acknowledge) as connection:
                call = connection.open(http2.SERVICE + "LegalMoves", http2.message(b""), end=True,
                                       metadata=[("x-small", "x" * 4000)])
                self.assertEqual(connection.wait_for_status(call, 10), 0)


class IncompleteRequestsTest(HostileTest):

    def test_large_requests_without_their_last_byte(self):
        target = self.start("--workers", "2")
        size = target.info().caps.max_message_bytes
        before = target.memory_mb()
        measure.forget_peak(target.pid)
        request = http2.message(bytes(size - 1), announced=size)
        with http2.Connection(target.address) as connection:
            calls = []
            for _ in range(_INCOMPLETE):
                calls.append(connection.open(http2.SERVICE + "LegalMoves"))
                # Where the server gives no more room, it holds no more either; where it refuses one, others may follow.
                if not connection.write(calls[-1], request, patience=1) and not connection.streams[calls[-1]].ended:
                    break
            ended = self.await_ends(connection, calls)
            grown = measure.peak_mb(target.pid) - before
            self.say(f"{_INCOMPLETE} requests of {size} bytes but one: +{grown:.0f} MB, {ended} of {len(calls)} ended")
            self.assertLess(grown, _MEMORY_MB)
            self.assertEqual(ended, len(calls), f"open after {_REQUEST_TIME} s")
        self.assert_serves(target)

    def await_ends(self, connection, calls):
        """Waits as long as a request may take. Returns how many calls have ended."""
        streams = [connection.streams[call] for call in calls]
        connection.wait(lambda: all(stream.ended for stream in streams), _REQUEST_TIME)
        return sum(stream.ended or connection.closed for stream in streams)

    def test_requests_that_do_not_come(self):
        target = self.start("--workers", "2")
        with http2.Connection(target.address) as connection:
            calls = {}
            for method in ("LegalMoves", "Bitboards", "Analyze", "Perft"):
                for name, body in [("nothing", b""), ("half a length", b"\0\0"), ("half a message", b"\0\0\0\0\x02?")]:
                    calls[connection.open(http2.SERVICE + method, body)] = f"{method}, {name}"
            self.await_ends(connection, calls)
            for call, name in calls.items():
                stream = connection.streams[call]
                self.say(f"{name}: ended {stream.ended or connection.closed}, status {stream.status}")
            for call, name in calls.items():
                with self.subTest(name=name):
                    stream = connection.streams[call]
                    self.assertTrue(stream.ended or connection.closed, f"open after {_REQUEST_TIME} s")
                    self.assertNotEqual(stream.status, 0)
        self.assert_serves(target)

    def test_a_message_that_is_announced_as_huge(self):
        target = self.start("--workers", "2")
        before = target.memory_mb()
        measure.forget_peak(target.pid)
        with http2.Connection(target.address) as connection:
            call = connection.open(http2.SERVICE + "LegalMoves", http2.message(b"", announced=1 << 30))
            megabytes, chunk = 0, bytes(1 << 20)
            while megabytes < 128 and connection.write(call, chunk, patience=1):
                megabytes += 1
            grown = measure.peak_mb(target.pid) - before
            self.say(f"a message of 1 GiB: the server took {megabytes} MB of it, +{grown:.0f} MB, "
                     f"status {connection.streams[call].status}")
            self.assertLess(grown, _MEMORY_MB)
        self.assertTrue(wait_until(lambda: target.memory_mb() < before + _MEMORY_MB, 10), "the memory stays")
        self.assert_serves(target)


if __name__ == "__main__":
    xml_unittest.main()
