"""Counts have a cap on their time and nodes, and do not keep others from their analyses."""

import time

import grpc

from tests.hostile import http2
from tests.hostile.target import ENDLESS_PERFT, HostileTest
from tests.integration.service import PATIENCE, Details, analysis_pb2, wait_until
from tests.suite import xml_unittest

_CAPPED = (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED)


class PerftCapTest(HostileTest):

    def test_counts_leave_room_for_analyses(self):
        target = self.start("--workers", "2", "--max-live", "40", "--max-queue", "20")
        with http2.Connection(target.address) as connection:
            message = http2.message(ENDLESS_PERFT.SerializeToString())
            calls = [connection.open(http2.SERVICE + "Perft", message, end=True) for _ in range(100)]

            def settled():
                """All counts are at work, wait, or are refused."""
                connection.wait(lambda: False, patience=0.01)
                info = target.info()
                refused = sum(connection.streams[call].ended for call in calls)
                return info.live_analyses + info.queued_analyses + refused == len(calls)

            self.assertTrue(wait_until(settled))
            info = target.info()
            began = time.monotonic()
            try:
                *_, last = target.stub.Analyze(analysis_pb2.AnalyzeRequest(limits={"depth": 3}), timeout=PATIENCE)
            except grpc.RpcError as error:
                self.fail(f"with {info.live_analyses} counts at work and {info.queued_analyses} waiting: "
                          f"{error.code()} {Details(error).reason}")
            self.say(f"{info.live_analyses} counts at work, {info.queued_analyses} waiting; an analysis took "
                     f"{time.monotonic() - began:.2f} s")
            self.assertTrue(last.HasField("final"))
        self.await_live(target, 0)

    def fault(self, target, depth):
        with self.assertRaises(grpc.RpcError) as caught:
            list(target.stub.Perft(analysis_pb2.PerftRequest(depth=depth, threads=1), timeout=PATIENCE))
        return Details(caught.exception)

    def test_time_is_capped(self):
        target = self.start("--workers", "2", "--max-perft-s", "1")
        began = time.monotonic()
        details = self.fault(target, depth=20)
        seconds = time.monotonic() - began
        self.say(f"ended after {seconds:.2f} s: {details.code} {details.reason}")
        self.assertIn(details.code, _CAPPED)
        self.assertEqual(details.reason, "PERFT_TIME_CAP")
        self.assertGreater(seconds, 0.9)
        self.await_live(target, 0)
        *_, total = target.stub.Perft(analysis_pb2.PerftRequest(depth=3), timeout=PATIENCE)
        self.assertEqual(total.total.nodes, 8902)

    def test_nodes_are_capped(self):
        target = self.start("--workers", "2", "--max-perft-nodes", "1000000")
        details = self.fault(target, depth=20)
        self.say(f"ended: {details.code} {details.reason}")
        self.assertIn(details.code, _CAPPED)
        self.assertEqual(details.reason, "PERFT_NODE_CAP")
        self.await_live(target, 0)
        *_, total = target.stub.Perft(analysis_pb2.PerftRequest(depth=4), timeout=PATIENCE)
        self.assertEqual(total.total.nodes, 197_281)


if __name__ == "__main__":
    xml_unittest.main()
