"""Streams that begin and are reset at once: cheap to send, and each of them a call to the server."""

import struct

from tests.hostile import http2
from tests.hostile.flood import FloodTest
from tests.hostile.target import ENDLESS, go
from tests.integration.service import reflection_pb2
from tests.suite import xml_unittest

_SECONDS = 4
_STREAMS_PER_BLOCK = 1024
_REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"


def _resets(path, body):
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


class ResetsTest(FloodTest):

    def test_resets_before_the_request(self):
        self.flood(_resets(http2.SERVICE + "LegalMoves", b""), _SECONDS)

    def test_resets_of_legal_moves(self):
        self.flood(_resets(http2.SERVICE + "LegalMoves", http2.message(b"")), _SECONDS)

    def test_resets_of_analyses(self):
        self.flood(_resets(http2.SERVICE + "Analyze", http2.message(ENDLESS.SerializeToString())), _SECONDS)

    def test_resets_of_sessions(self):
        self.flood(_resets(http2.SERVICE + "AnalyzeSession", http2.message(go(infinite=True))), _SECONDS)

    def test_resets_of_reflection(self):
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        self.flood(_resets(_REFLECTION, http2.message(request.SerializeToString())), _SECONDS)

    def test_resets_of_silent_reflection(self):
        self.flood(_resets(_REFLECTION, b""), _SECONDS)


if __name__ == "__main__":
    xml_unittest.main()
