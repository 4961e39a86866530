"""A flood of frames from one connection with an honest client beside, and what it may do to both client and server."""

import struct
import threading
import time

from tests.hostile import http2, measure
from tests.hostile.target import HostileTest
from tests.integration.service import PATIENCE, wait_until

_MAX_BYTES = 1 << 30
_STREAMS_PER_BLOCK = 1024

_WORST_LATENCY = 2  # seconds
_PEAK_MB = 150
_REMAINS_MB = 100


def resets(path, body):
    """Streams that begin and are reset at once. All but the numbers is the same, so a block is made fast."""
    headers = http2.frame(http2.HEADERS, http2.END_HEADERS, 0, http2.request_headers(path))
    data = http2.frame(http2.DATA, 0, 0, body) if body else b""
    reset = http2.frame(http2.RST_STREAM, 0, 0, struct.pack(">I", http2.CANCEL))
    whole = headers + data + reset
    starts = [0] + ([len(headers)] if body else []) + [len(headers) + len(data)]
    for first in range(1, 1 << 30, 2 * _STREAMS_PER_BLOCK):
        block = bytearray(whole * _STREAMS_PER_BLOCK)
        for place in range(_STREAMS_PER_BLOCK):
            for start in starts:
                struct.pack_into(">I", block, place * len(whole) + start + 5, first + 2 * place)
        yield bytes(block)


def send_blocks(connection, blocks, seconds, max_bytes=_MAX_BYTES, reads=True):
    """Sends blocks of frames for a time, or until the server has enough. Returns how many bytes were sent."""
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


class FloodTest(HostileTest):

    def flood(self, blocks, seconds=1, max_bytes=_MAX_BYTES, reads=True):
        """Sends blocks of frames for a time, or until the server has enough, and checks what it did to others."""
        target = self.start("--workers", "2")
        honest = measure.HonestClient(target.address)
        try:
            before = target.memory_mb()
            measure.forget_peak(target.pid)
            with http2.Connection(target.address, acknowledge=False) as connection:
                sent = send_blocks(connection, blocks, seconds, max_bytes, reads)
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
