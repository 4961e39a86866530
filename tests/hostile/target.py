"""A kibitzd to attack, and the test case that all attacks share: whatever is done to it, the server lives."""

import tempfile
import unittest

import grpc

from tests.hostile import measure
from tests.integration.service import PATIENCE, Server, analysis_pb2, analysis_pb2_grpc, wait_until

ENDLESS = analysis_pb2.AnalyzeRequest(limits=analysis_pb2.Limits(infinite=True), threads=1)
ENDLESS_GO = analysis_pb2.AnalyzeSessionRequest(go={"request": ENDLESS})
ENDLESS_PERFT = analysis_pb2.PerftRequest(depth=20, threads=1)


def go(multi_pv=1, **limits):
    """A session's Go with these limits, as bytes."""
    request = {"limits": limits, "multi_pv": multi_pv, "threads": 1}
    return analysis_pb2.AnalyzeSessionRequest(go={"request": request}).SerializeToString()


def new_channel(address, **options):
    """A channel with a connection of its own: gRPC would share one with other channels to the same address."""
    options = {"use_local_subchannel_pool": 1, **options}
    return grpc.insecure_channel(address, options=[("grpc." + name, value) for name, value in options.items()])


class Target(Server):
    """A server with a small table, and an honest connection to it."""

    def __init__(self, *flags, **options):
        self._log = tempfile.TemporaryFile("w+")
        super().__init__("--hash-mb", "1", *flags, errors=self._log, **options)
        self.channel = new_channel(self.address or "localhost:1")
        self.stub = analysis_pb2_grpc.AnalysisServiceStub(self.channel)

    def log(self):
        """What it has written to standard error so far."""
        self._log.seek(0)
        return self._log.read()

    def info(self):
        return self.stub.GetServerInfo(analysis_pb2.GetServerInfoRequest(), timeout=PATIENCE)

    def live(self):
        return self.info().live_analyses

    def memory_mb(self):
        return measure.memory_mb(self.pid)

    def stop(self):
        self.channel.close()
        super().stop()
        self._log.close()


class HostileTest(unittest.TestCase):

    def start(self, *flags, **options):
        """A server, ended with the case."""
        target = Target(*flags, **options)
        self.addCleanup(target.stop)
        self.assertTrue(target.listening, f"it did not start: {target.log()}")
        return target

    def say(self, text):
        """States a figure."""
        print(f"{self.id().rpartition('.')[2]}: {text}", flush=True)

    def assert_serves(self, target):
        """It lives, searches, and answers somebody who was not there before."""
        self.assertIsNone(target.process.poll(), f"the server has ended: {target.log()[-2000:]}")
        with new_channel(target.address) as channel:
            request = analysis_pb2.AnalyzeRequest(limits={"depth": 3})
            *_, last = analysis_pb2_grpc.AnalysisServiceStub(channel).Analyze(request, timeout=PATIENCE)
        self.assertTrue(last.HasField("final"))

    def await_live(self, target, live, patience=PATIENCE):
        self.assertTrue(wait_until(lambda: target.live() == live, patience), f"not {live} live: {target.info()}")
