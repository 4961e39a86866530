"""Sessions have a bound on the memory that they hold: those that wait, and those whose client does not read."""

from tests.hostile import http2, measure
from tests.hostile.target import HostileTest, go
from tests.suite import xml_unittest

_SESSIONS = 300
_POOL_MB = 16  # what all sessions may share
_SESSION_MB = 0.2

_GOS = 20_000
_UNREAD_MB = 64
_BATCH = 16


class MemoryTest(HostileTest):

    def idle_sessions(self, connection, count):
        """Sessions that have answered one Go each and wait for the next."""
        message = http2.message(go(depth=1))
        calls = []
        for _ in range(count):
            call = connection.open(http2.SERVICE + "AnalyzeSession", message)
            stream = connection.streams[call]
            answered = lambda: any(b"Kibitz" in text for text in stream.messages) or stream.ended
            self.assertTrue(connection.wait(answered), "no Final")
            calls.append(call)
        return calls

    def test_idle_sessions_hold_little(self):
        target = self.start("--workers", "2")
        with http2.Connection(target.address) as connection:
            self.idle_sessions(connection, 2)
            before = target.memory_mb()
            calls = self.idle_sessions(connection, _SESSIONS)
            self.assertFalse(any(connection.streams[call].ended for call in calls), "a session was ended")
            grown = target.memory_mb() - before
            self.say(f"{_SESSIONS} idle sessions hold {grown:.0f} MB, {grown / _SESSIONS:.2f} MB each")
            self.assertLess(grown, _POOL_MB + _SESSIONS * _SESSION_MB)
        self.assert_serves(target)

    def test_sessions_that_ended_hold_nothing(self):
        target = self.start("--workers", "2")
        with http2.Connection(target.address) as connection:
            for _ in range(2):  # the first round fills what may stay
                before = target.memory_mb()
                for call in self.idle_sessions(connection, 100):
                    connection.reset(call)
            grown = target.memory_mb() - before
            self.say(f"100 more sessions that came and went hold {grown:.1f} MB")
            self.assertLess(grown, 8)
        self.assert_serves(target)

    def test_finals_that_nobody_reads(self):
        target = self.start("--workers", "2")
        with http2.Connection(target.address, window=0, reads=False) as connection:
            call = connection.open(http2.SERVICE + "AnalyzeSession", http2.message(go(depth=1)))
            self.await_live(target, 0)
            before = target.memory_mb()
            measure.forget_peak(target.pid)
            sent = self.send_gos(target, connection, call)
            grown = measure.peak_mb(target.pid) - before
            self.say(f"{sent} Gos of 20 lines each that nobody reads: +{grown:.0f} MB")
            self.assertLess(grown, _UNREAD_MB)
        self.await_live(target, 0)
        self.assert_serves(target)

    def send_gos(self, target, connection, call):
        """Sends Gos, never ahead of the server by more than it allows to wait, until they are all sent or the server
        takes no more. Returns how many."""
        batch = http2.message(go(multi_pv=20, depth=2)) * _BATCH
        sent = 0
        while sent < _GOS and connection.write(call, batch, patience=1):
            sent += _BATCH
            self.await_live(target, 0)
            if connection.wait(lambda: connection.streams[call].ended, patience=0.0001):
                break
        return sent


if __name__ == "__main__":
    xml_unittest.main()
