"""However a call ends, its work ends with it: soon, and with the right status."""

import dataclasses
import signal
import time
import typing

from tests.hostile import http2
from tests.hostile.target import ENDLESS, ENDLESS_GO, ENDLESS_PERFT, HostileTest, go
from tests.integration.service import wait_until
from tests.suite import xml_unittest

OK, INVALID_ARGUMENT, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED = 0, 3, 4, 8

_MALFORMED = http2.message(b"\xff" * 100)
_OVERSIZED = http2.message(bytes((1 << 20) + 1))

_REQUESTS = {
    "Analyze": ENDLESS.SerializeToString(),
    "AnalyzeSession": ENDLESS_GO.SerializeToString(),
    "Perft": ENDLESS_PERFT.SerializeToString(),
}

# How soon nothing may be at work, and how often we try: a busy machine may be late once, but not each time.
_PROMPT = 0.100
_ATTEMPTS = 20
# The longest that a failure takes to be seen.
_PATIENCE = 10


@dataclasses.dataclass
class End:
    """A way in which calls end."""
    name: str
    # What a client does to end it, given connection and call.
    act: typing.Callable = lambda connection, call: None
    methods: tuple = ("Analyze", "AnalyzeSession", "Perft")
    # The codes of which the client sees one; nothing when it cannot see any.
    codes: tuple = ()
    # When false, it ends before there is anything to do.
    working: bool = True
    # The call's and the connection's settings.
    headers: dict = dataclasses.field(default_factory=dict)
    connection: dict = dataclasses.field(default_factory=dict)
    flags: tuple = ()


def _write(data, end=False):
    return lambda connection, call: connection.write(call, data, end=end)


def _reset(code):
    return lambda connection, call: connection.reset(call, code)


def _send(data):
    return lambda connection, call: connection.send(data)


def _half_close_and(then):
    def act(connection, call):
        connection.write(call, b"", end=True)
        then(connection, call)

    return act


_SESSION = ("AnalyzeSession",)
_NO_ROOM = {"window": 0, "reads": False}

_ENDS = [
    # The search goes on to its Final, which is that of the cap on its time.
    End("half-close", _write(b"", end=True), _SESSION, (OK,), flags=("--max-search-s", "1")),
    End("half-close without a search", _write(b"", end=True), _SESSION, (OK,), working=False),
    End("half-close, then reset", _half_close_and(_reset(http2.CANCEL))),
    End("half-close, then connection closed", _half_close_and(lambda connection, _: connection.close())),
    End("reset: CANCEL", _reset(http2.CANCEL)),
    End("reset: INTERNAL_ERROR", _reset(0x2)),
    End("malformed message", _write(_MALFORMED), _SESSION, (INVALID_ARGUMENT,)),
    End("malformed message and half-close", _write(_MALFORMED, end=True), _SESSION, (INVALID_ARGUMENT,)),
    End("malformed message, no work", _write(_MALFORMED), codes=(INVALID_ARGUMENT,), working=False),
    End("command not set", _write(http2.message(b"")), _SESSION, (INVALID_ARGUMENT,)),
    End("oversized message", _write(_OVERSIZED), _SESSION, (RESOURCE_EXHAUSTED, INVALID_ARGUMENT)),
    End("oversized message, no work", _write(_OVERSIZED), codes=(RESOURCE_EXHAUSTED, INVALID_ARGUMENT), working=False),
    End("connection closed", lambda connection, _: connection.close()),
    End("connection aborted", lambda connection, _: connection.abort()),
    End("goodbye: GOAWAY, then closed", lambda connection, _: connection.say_goodbye()),
    End("protocol error: frame of 16 MB", _send(b"\xff\xff\xff\x00\x00\x00\x00\x00\x01")),
    End("protocol error: bad header block", _send(http2.frame(http2.HEADERS, http2.END_HEADERS, 3, b"\xff" * 20))),
    # Its writes wait for room that never comes.
    End("client that does not read: reset", _reset(http2.CANCEL), connection=_NO_ROOM),
    End("client that does not read: aborted", lambda connection, _: connection.abort(), connection=_NO_ROOM),
    End("client that does not read: malformed message", _write(_MALFORMED), _SESSION, connection=_NO_ROOM),
    End("deadline of an analysis", methods=("Analyze",), codes=(OK, DEADLINE_EXCEEDED), headers={"timeout": "700m"}),
    End("deadline of a session", methods=_SESSION, codes=(DEADLINE_EXCEEDED,), headers={"timeout": "700m"}),
    End("deadline of a count", methods=("Perft",), codes=(DEADLINE_EXCEEDED,), headers={"timeout": "700m"}),
    End("deadline, client that does not read", headers={"timeout": "700m"}, connection=_NO_ROOM),
]


class CallEndsTest(HostileTest):

    def begin(self, target, end, method):
        """A call at work, or just begun where the end allows none."""
        connection = http2.Connection(target.address, **end.connection)
        self.addCleanup(connection.close)
        body = http2.message(_REQUESTS[method]) if end.working else b""
        call = connection.open(http2.SERVICE + method, body, **end.headers)
        if end.working:
            self.await_live(target, 1)
        return connection, call

    def seconds_to_end(self, target, end, method):
        """Ends one call. Returns how long its work took to end after it, by what the client can know of it."""
        connection, call = self.begin(target, end, method)
        ends_by_itself = end.headers or end.flags
        end.act(connection, call)
        if ends_by_itself and not end.connection:
            connection.wait_for_status(call, _PATIENCE)
        elif ends_by_itself:
            self.assertTrue(wait_until(lambda: target.live() == 0, _PATIENCE), "the work goes on")
        began = time.monotonic()
        self.assertTrue(wait_until(lambda: target.live() == 0, _PATIENCE), "the work goes on")
        seconds = time.monotonic() - began
        if end.codes:
            code = connection.wait_for_status(call, _PATIENCE)
            self.assertIn(code, end.codes, "the status is wrong")
        return seconds

    def test_work_ends_with_its_call(self):
        for end in _ENDS:
            for method in end.methods:
                with self.subTest(end=end.name, method=method):
                    target = self.start("--workers", "2", *end.flags)
                    delays = []
                    while not delays or delays[-1] > _PROMPT:
                        self.assertLess(len(delays), _ATTEMPTS, f"never free within {_PROMPT} s: {delays}")
                        delays.append(self.seconds_to_end(target, end, method))
                    self.say(f"{end.name}, {method}: free after {1000 * delays[-1]:.1f} ms, attempt {len(delays)}")
                    target.stop()

    def test_work_ends_with_the_server(self):
        for method, request in _REQUESTS.items():
            with self.subTest(method=method):
                target = self.start("--grace-ms", "5000")
                with http2.Connection(target.address) as connection:
                    call = connection.open(http2.SERVICE + method, http2.message(request))
                    self.await_live(target, 1)
                    target.signal(signal.SIGTERM)
                    code = connection.wait_for_status(call)
                self.assertIn(code, (0,) if method == "Analyze" else (14,))
                self.assertEqual(target.wait()[0], 0)

    def test_200_sessions_that_turn_bad_at_once(self):
        target = self.start("--workers", "2")
        with http2.Connection(target.address) as connection:
            go_message = http2.message(ENDLESS_GO.SerializeToString())
            calls = [connection.open(http2.SERVICE + "AnalyzeSession", go_message) for _ in range(200)]
            self.await_live(target, 200)
            began = time.monotonic()
            connection.send(b"".join(http2.frame(http2.DATA, 0, call, _MALFORMED) for call in calls))
            ended = wait_until(lambda: target.live() == 0, _PATIENCE)
            self.say(f"{target.live()} live after {time.monotonic() - began:.2f} s")
            connection.wait(lambda: all(connection.streams[call].ended for call in calls), _PATIENCE)
            codes = [connection.streams[call].status for call in calls]
            self.say(f"statuses: { {code: codes.count(code) for code in set(codes)} }")
            self.assertTrue(ended, "work goes on that nobody waits for")
            self.assertEqual(set(codes), {INVALID_ARGUMENT})
        self.assert_serves(target)

    def test_a_message_after_a_bad_one_starts_nothing(self):
        target = self.start("--workers", "1")
        with http2.Connection(target.address) as connection:
            call = connection.open(http2.SERVICE + "AnalyzeSession", _MALFORMED + http2.message(go(infinite=True)))
            self.assertEqual(connection.wait_for_status(call, _PATIENCE), INVALID_ARGUMENT)
            self.assertEqual(connection.streams[call].details.reason, "MALFORMED_MESSAGE")
            self.await_live(target, 0, _PATIENCE)
        self.assert_serves(target)


if __name__ == "__main__":
    xml_unittest.main()
