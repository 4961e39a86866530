"""Work ends when nobody wants its result any more: cancelled calls, lost clients, deadlines."""

import threading
import time

import grpc

from tests.integration.service import (PATIENCE, ServiceTest, analysis_pb2, analysis_pb2_grpc, wait_until)
from tests.suite import xml_unittest

_ENDLESS_PERFT = analysis_pb2.PerftRequest(depth=13, threads=1)  # takes hours
_ENDLESS_ANALYSIS = analysis_pb2.AnalyzeRequest(limits=analysis_pb2.Limits(infinite=True))

# How soon a worker must be free, and how often we try: a busy machine may be late once, but not each time.
_PROMPT = 0.050
_ATTEMPTS = 20


class StoppingTest(ServiceTest):
    flags = ("--workers", "1", "--max-live", "1", "--max-queue", "1")

    def assert_prompt(self, start, stop):
        """Stops a call over and over until the worker is free soon after; it must be free in the end each time."""
        delays = []
        for _ in range(_ATTEMPTS):
            call = start()
            self.await_load(1)
            began = time.monotonic()
            stop(call)
            self.await_load(0)
            delays.append(time.monotonic() - began)
            if delays[-1] < _PROMPT:
                return
        self.fail(f"the worker was not free within {_PROMPT} s: {delays}")

    def test_cancel_stops_a_count(self):
        self.assert_prompt(lambda: self.stub.Perft(_ENDLESS_PERFT, timeout=PATIENCE), lambda call: call.cancel())

    def test_cancel_stops_a_search(self):
        self.assert_prompt(lambda: self.stub.Analyze(_ENDLESS_ANALYSIS, timeout=PATIENCE), lambda call: call.cancel())

    def assert_disconnecting_stops(self, method, request):
        def start():
            channel = grpc.insecure_channel(self.server.address, options=[("grpc.use_local_subchannel_pool", 1)])
            call = getattr(analysis_pb2_grpc.AnalysisServiceStub(channel), method)(request, timeout=PATIENCE)
            return channel, call

        self.assert_prompt(start, lambda channel_and_call: channel_and_call[0].close())

    def test_a_client_that_disconnects_stops_its_count(self):
        self.assert_disconnecting_stops("Perft", _ENDLESS_PERFT)

    def test_a_client_that_disconnects_stops_its_search(self):
        self.assert_disconnecting_stops("Analyze", _ENDLESS_ANALYSIS)

    def test_a_count_obeys_the_deadline(self):
        details = self.fault(lambda: list(self.stub.Perft(_ENDLESS_PERFT, timeout=0.3)))
        self.assertEqual(details.code, grpc.StatusCode.DEADLINE_EXCEEDED)
        self.await_load(0)

    def test_a_search_answers_before_the_deadline(self):
        *_, last = self.stub.Analyze(_ENDLESS_ANALYSIS, timeout=10)
        self.assertEqual(last.final.stop_reason, analysis_pb2.STOP_REASON_DEADLINE)
        self.assertNotEqual(last.final.best_move, "")
        self.assertGreater(last.final.result.elapsed.ToMilliseconds(), 8000)

    def test_the_second_waits_and_the_third_is_refused(self):
        first = self.stub.Analyze(_ENDLESS_ANALYSIS, timeout=PATIENCE)
        self.await_load(1)
        second = self.stub.Analyze(_ENDLESS_ANALYSIS, timeout=PATIENCE)
        self.assertEqual(next(second).queued.place, 1)
        details = self.fault(lambda: list(self.stub.Analyze(_ENDLESS_ANALYSIS, timeout=PATIENCE)))
        self.assertEqual((details.code, details.reason), (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUEUE_FULL"))
        self.assertGreater(details.retry_seconds, 0)
        first.cancel()
        self.assertTrue(next(second).HasField("update"))
        second.cancel()
        self.await_load(0)

    def test_a_reader_that_does_not_read_holds_nobody_up(self):
        """Its updates are merged, the search goes on, and the server answers others."""
        request = analysis_pb2.AnalyzeRequest(limits=analysis_pb2.Limits(nodes=200_000), multi_pv=20)
        request.min_update_interval.FromMilliseconds(0)
        lazy = self.stub.Analyze(request, timeout=PATIENCE)
        self.await_load(0)
        self.assertEqual(len(self.legal_moves().moves), 20)
        *_, last = lazy
        self.assertTrue(last.HasField("final"))

    def test_calls_that_come_and_go_leave_nothing_behind(self):
        def client():
            for round_ in range(20):
                call = self.stub.Perft(_ENDLESS_PERFT, timeout=PATIENCE)
                if round_ % 2:
                    time.sleep(0.001)
                call.cancel()

        clients = [threading.Thread(target=client) for _ in range(8)]
        for thread in clients:
            thread.start()
        for thread in clients:
            thread.join(PATIENCE)
        self.await_load(0)


class HashBudgetTest(ServiceTest):
    flags = ("--workers", "2", "--perft-hash-mb", "32")

    def test_counts_share_the_budget(self):
        request = analysis_pb2.PerftRequest(depth=13, threads=1, hash_mb=20)
        first = self.stub.Perft(request, timeout=PATIENCE)
        self.await_load(1)
        details = self.fault(lambda: list(self.stub.Perft(request, timeout=PATIENCE)))
        self.assertEqual((details.code, details.reason), (grpc.StatusCode.RESOURCE_EXHAUSTED, "PERFT_HASH_EXHAUSTED"))
        self.assertGreater(details.retry_seconds, 0)
        first.cancel()
        self.await_load(0)
        self.assertEqual(self.perft(3, hash_mb=32)[1], 8902)


if __name__ == "__main__":
    xml_unittest.main()
