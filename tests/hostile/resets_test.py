"""Streams that begin and are reset at once: cheap to send, and each of them a call to the server."""

from tests.hostile import http2
from tests.hostile.flood import FloodTest, resets
from tests.hostile.target import ENDLESS, go
from tests.integration.service import reflection_pb2
from tests.suite import xml_unittest

_SECONDS = 4
_REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"


class ResetsTest(FloodTest):

    def test_resets_before_the_request(self):
        self.flood(resets(http2.SERVICE + "LegalMoves", b""), _SECONDS)

    def test_resets_of_legal_moves(self):
        self.flood(resets(http2.SERVICE + "LegalMoves", http2.message(b"")), _SECONDS)

    def test_resets_of_analyses(self):
        self.flood(resets(http2.SERVICE + "Analyze", http2.message(ENDLESS.SerializeToString())), _SECONDS)

    def test_resets_of_sessions(self):
        self.flood(resets(http2.SERVICE + "AnalyzeSession", http2.message(go(infinite=True))), _SECONDS)

    def test_resets_of_reflection(self):
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        self.flood(resets(_REFLECTION, http2.message(request.SerializeToString())), _SECONDS)

    def test_resets_of_silent_reflection(self):
        self.flood(resets(_REFLECTION, b""), _SECONDS)


if __name__ == "__main__":
    xml_unittest.main()
