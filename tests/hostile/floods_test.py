"""Short floods of frames that cost their sender nothing."""

import itertools
import struct

from tests.hostile import http2
from tests.hostile.flood import FloodTest
from tests.suite import xml_unittest

_BLOCK_BYTES = 1 << 20
_HEADERS = http2.request_headers(http2.SERVICE + "LegalMoves")


def _repeat(frame):
    """The same frame in blocks without end."""
    return itertools.repeat(frame * (_BLOCK_BYTES // len(frame)))


class FloodsTest(FloodTest):

    def test_window_updates_of_the_connection(self):
        self.flood(_repeat(http2.frame(http2.WINDOW_UPDATE, 0, 0, struct.pack(">I", 1))), seconds=3)

    def test_window_updates_of_a_stream(self):
        headers = http2.frame(http2.HEADERS, http2.END_HEADERS, 1, _HEADERS)
        updates = _repeat(http2.frame(http2.WINDOW_UPDATE, 0, 1, struct.pack(">I", 1)))
        self.flood(itertools.chain([headers], updates), seconds=3)

    def test_settings(self):
        self.flood(_repeat(http2.frame(http2.SETTINGS, 0, 0, struct.pack(">HI", http2.INITIAL_WINDOW_SIZE, 70_000))))

    def test_settings_whose_acknowledgement_is_not_read(self):
        self.flood(_repeat(http2.frame(http2.SETTINGS, 0, 0)), reads=False)

    def test_pings(self):
        self.flood(_repeat(http2.frame(http2.PING, 0, 0, bytes(8))))

    def test_priorities(self):
        self.flood(_repeat(http2.frame(http2.PRIORITY, 0, 1, struct.pack(">IB", 0, 1))))

    def test_empty_data(self):
        headers = http2.frame(http2.HEADERS, http2.END_HEADERS, 1, _HEADERS)
        self.flood(itertools.chain([headers], _repeat(http2.frame(http2.DATA, 0, 1))))

    def test_empty_continuations(self):
        headers = http2.frame(http2.HEADERS, 0, 1, _HEADERS)
        self.flood(itertools.chain([headers], _repeat(http2.frame(http2.CONTINUATION, 0, 1))))

    def test_continuations_with_headers(self):
        headers = http2.frame(http2.HEADERS, 0, 1, _HEADERS)
        block = http2.literal("x-some", "y" * 100) * 150
        more = _repeat(http2.frame(http2.CONTINUATION, 0, 1, block))
        self.flood(itertools.chain([headers], more), seconds=5, max_bytes=64 << 20)

    def test_one_endless_header(self):
        block = _HEADERS + http2.literal_start("x-large", 64 << 20)
        headers = http2.frame(http2.HEADERS, 0, 1, block)
        value = _repeat(http2.frame(http2.CONTINUATION, 0, 1, b"y" * 16_000))
        self.flood(itertools.chain([headers], value), max_bytes=60 << 20)


if __name__ == "__main__":
    xml_unittest.main()
