"""A flood of frames from one connection with an honest client beside, and what it may do to both client and server."""

import threading
import time

from tests.hostile import http2, measure
from tests.hostile.target import HostileTest
from tests.integration.service import PATIENCE, wait_until

_MAX_BYTES = 1 << 30

_WORST_LATENCY = 2  # seconds
_PEAK_MB = 150
_REMAINS_MB = 100


class FloodTest(HostileTest):

    def flood(self, blocks, seconds=1, max_bytes=_MAX_BYTES, reads=True):
        """Sends blocks of frames for a time, or until the server has enough, and checks what it did to others."""
        target = self.start("--workers", "2")
        honest = measure.HonestClient(target.address)
        try:
            before = target.memory_mb()
            measure.forget_peak(target.pid)
            with http2.Connection(target.address, acknowledge=False) as connection:
                sent = self.send(connection, blocks, seconds, max_bytes, reads)
                closed = connection.closed
        finally:
            latencies, failures = honest.leave()
        self.assertIsNone(target.process.poll(), f"the server has ended: {target.log()[-2000:]}")
        grown = measure.peak_mb(target.pid) - before
        wait_until(lambda: target.memory_mb() - before < _REMAINS_MB, 10)
        remains = target.memory_mb() - before
        self.say(f"{sent / 1e6:.0f} MB sent, connection closed: {closed}, +{grown:.0f} MB, {remains:.0f} MB remain, "
                 f"honest client: {len(latencies)} calls, median {1000 * latencies[len(latencies) // 2]:.0f} ms, "
                 f"worst {1000 * latencies[-1]:.0f} ms, {len(failures)} failed")
        self.assertEqual(failures, [], "honest calls failed")
        self.assertLess(latencies[-1], _WORST_LATENCY)
        self.assertLess(grown, _PEAK_MB)
        self.assertLess(remains, _REMAINS_MB)
        self.await_live(target, 0)
        self.assert_serves(target)

    def send(self, connection, blocks, seconds, max_bytes, reads):
        """Returns how many bytes were sent."""
        sent, end = 0, time.monotonic() + seconds
        reader = threading.Thread(target=connection.discard_input)
        if reads:
            reader.start()
        for block in blocks:
            if sent >= max_bytes or not connection.send(block, end - time.monotonic()) or time.monotonic() > end:
                break
            sent += len(block)
        if reads:
            connection.shut_down()
            reader.join(PATIENCE)
        return sent
