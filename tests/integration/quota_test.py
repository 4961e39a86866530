"""Quotas by tenant, with a real server: caps on one request, and nodes in a minute."""

import time
import unittest

import grpc

from tests.integration.keys import Keys, shown
from tests.integration.service import (PATIENCE, Details, Server, analysis_pb2, analysis_pb2_grpc, position_pb2)
from tests.suite import xml_unittest

_INFINITE = analysis_pb2.AnalyzeRequest(limits={"infinite": True}, threads=1)


class QuotaTest(unittest.TestCase):

    def start(self, *quota):
        """A server with a tenant that has these quotas, and one that has none."""
        keys = Keys()
        self.addCleanup(keys.close)
        self.site = shown(keys.add("site", *quota))
        self.free = shown(keys.add("free"))
        server = Server("--hash-mb", "1", "--workers", "2", "--log-level", "off", *keys.flags)
        self.addCleanup(server.stop)
        channel = grpc.insecure_channel(server.address)
        self.addCleanup(channel.close)
        self.stub = analysis_pb2_grpc.AnalysisServiceStub(channel)

    def analyze(self, request, who=None):
        """The Final."""
        *_, last = self.stub.Analyze(request, timeout=PATIENCE, metadata=who or self.site)
        return last.final

    def fault(self, call):
        with self.assertRaises(grpc.RpcError) as caught:
            call()
        return Details(caught.exception)

    def caps(self, who):
        return self.stub.GetServerInfo(analysis_pb2.GetServerInfoRequest(), timeout=PATIENCE, metadata=who).caps

    def test_caps_on_one_request(self):
        self.start("--max-depth", "5", "--max-search-ms", "200", "--max-threads", "1", "--max-multi-pv", "3")
        for field, request in (("limits.depth", {"limits": {"depth": 6}}), ("multi_pv", {"multi_pv": 4}),
                               ("threads", {"threads": 2})):
            details = self.fault(lambda request=request: self.analyze(analysis_pb2.AnalyzeRequest(**request)))
            self.assertEqual((details.code, details.field, details.reason),
                             (grpc.StatusCode.INVALID_ARGUMENT, field, "OUT_OF_RANGE"))
        self.assertIn("5", self.fault(lambda: self.analyze(analysis_pb2.AnalyzeRequest(limits={"depth": 6}))).description)
        # What the server's own caps cut short, these cut short.
        final = self.analyze(_INFINITE)
        self.assertLessEqual(final.result.depth, 5)
        details = self.fault(lambda: list(self.stub.Perft(analysis_pb2.PerftRequest(depth=12), timeout=PATIENCE,
                                                          metadata=self.site)))
        self.assertEqual(details.reason, "PERFT_TIME_CAP")
        # The other tenant has the server's.
        self.assertEqual(self.analyze(analysis_pb2.AnalyzeRequest(limits={"depth": 6}, threads=2), self.free).result.depth,
                         6)

    def test_a_server_tells_each_tenant_its_own_caps(self):
        self.start("--max-depth", "5", "--max-search-ms", "200", "--max-threads", "1", "--max-multi-pv", "3",
                   "--max-live", "7", "--max-queued", "8")
        own, server = self.caps(self.site), self.caps(self.free)
        self.assertEqual((own.max_depth, own.max_threads, own.max_multi_pv), (5, 1, 3))
        self.assertEqual(own.max_search_time.ToMilliseconds(), 200)
        self.assertEqual((own.max_live_analyses, own.max_queued_analyses), (7, 8))
        self.assertEqual((server.max_depth, server.max_threads, server.max_multi_pv), (240, 2, 256))
        self.assertEqual((server.max_live_analyses, server.max_queued_analyses), (1000, 2000))

    def test_nodes_in_a_minute(self):
        self.start("--nodes-per-minute", "400000")
        final = self.analyze(_INFINITE)
        self.assertEqual(final.stop_reason, analysis_pb2.STOP_REASON_QUOTA)
        self.assertGreater(final.result.nodes, 400_000)
        details = self.fault(lambda: self.analyze(_INFINITE))
        told = time.monotonic()
        self.assertEqual((details.code, details.reason, details.quota_subject),
                         (grpc.StatusCode.RESOURCE_EXHAUSTED, "NODES_EXHAUSTED", "tenant:site"))
        self.assertGreater(details.retry_seconds, 0)
        self.assertLess(details.retry_seconds, 30)
        perft = self.fault(lambda: list(self.stub.Perft(analysis_pb2.PerftRequest(depth=3), timeout=PATIENCE,
                                                        metadata=self.site)))
        self.assertEqual((perft.reason, perft.quota_subject), ("NODES_EXHAUSTED", "tenant:site"))
        refused = next(self.stub.AnalyzeSession(iter([analysis_pb2.AnalyzeSessionRequest(go={"request": _INFINITE})]),
                                                timeout=PATIENCE, metadata=self.site)).refused
        self.assertEqual((refused.code, refused.reason), (grpc.StatusCode.RESOURCE_EXHAUSTED.value[0], "NODES_EXHAUSTED"))
        # What searches nothing goes on, and so do the others.
        self.stub.LegalMoves(position_pb2.LegalMovesRequest(), timeout=PATIENCE, metadata=self.site)
        self.analyze(analysis_pb2.AnalyzeRequest(limits={"depth": 8}), self.free)
        # Who waits as long as it was told gets in.
        time.sleep(max(0, told + details.retry_seconds - time.monotonic()))
        self.assertEqual(self.analyze(analysis_pb2.AnalyzeRequest(limits={"depth": 3})).stop_reason,
                         analysis_pb2.STOP_REASON_DEPTH)

    def test_a_count_that_takes_too_much_is_stopped(self):
        self.start("--nodes-per-minute", "400000")
        details = self.fault(lambda: list(self.stub.Perft(analysis_pb2.PerftRequest(depth=12), timeout=PATIENCE,
                                                          metadata=self.site)))
        self.assertEqual((details.code, details.reason, details.quota_subject),
                         (grpc.StatusCode.RESOURCE_EXHAUSTED, "NODES_EXHAUSTED", "tenant:site"))
        self.assertGreater(details.retry_seconds, 0)


if __name__ == "__main__":
    xml_unittest.main()
