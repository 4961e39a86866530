"""Deadlines that fall together: the Finals come in time, and say what ended the search."""

import collections

from tests.hostile import http2
from tests.hostile.target import ENDLESS, HostileTest
from tests.integration.service import analysis_pb2
from tests.suite import xml_unittest

_ANALYSES = 500
# A busy machine may be late once, but not each time. `bench scheduler` states the share of a quiet one.
_SHARE = 0.95
_ATTEMPTS = 10


class DeadlinesTest(HostileTest):

    def finals(self, target):
        """How many of the analyses ended in time, and the reasons that their Finals give."""
        body = http2.message(ENDLESS.SerializeToString())
        with http2.Connection(target.address) as connection:
            calls = [connection.open(http2.SERVICE + "Analyze", body, end=True, timeout="1S") for _ in range(_ANALYSES)]
            streams = [connection.streams[call] for call in calls]
            self.assertTrue(connection.wait(lambda: all(stream.ended for stream in streams)), "calls without an end")
        # The server itself ends with another status what is late.
        in_time = [stream for stream in streams if stream.status == 0]
        lasts = [analysis_pb2.AnalyzeResponse.FromString(stream.messages[-1]) for stream in in_time]
        self.assertTrue(all(last.HasField("final") for last in lasts))
        reasons = collections.Counter(analysis_pb2.StopReason.Name(last.final.stop_reason) for last in lasts)
        return len(in_time), dict(reasons)

    def test_finals_come_in_time(self):
        target = self.start("--workers", "2")
        shares = []
        while not shares or shares[-1] < _SHARE:
            self.assertLess(len(shares), _ATTEMPTS, f"never {_SHARE} of the Finals: {shares}")
            count, reasons = self.finals(target)
            shares.append(count / _ANALYSES)
            self.say(f"{count} of {_ANALYSES} Finals in time, {reasons}")
            self.assertLessEqual(set(reasons), {"STOP_REASON_DEADLINE"})
            self.await_live(target, 0)
        self.assert_serves(target)


if __name__ == "__main__":
    xml_unittest.main()
