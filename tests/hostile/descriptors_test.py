"""A server that runs out of descriptors recovers by itself, and keeps enough of them to go on meanwhile."""

import socket
import threading
import time

import grpc

from tests.hostile import measure
from tests.hostile.target import HostileTest, new_channel
from tests.integration.service import analysis_pb2, analysis_pb2_grpc, wait_until
from tests.suite import xml_unittest

_LIMIT = 64
_CONNECTIONS = 100
_RECOVERY = 5  # seconds


class DescriptorsTest(HostileTest):

    def connect(self, target):
        host, port = target.address.split(":")
        return socket.create_connection((host, int(port)), timeout=10)

    def answers_newcomers(self, target, seconds):
        """Whether somebody new is answered within this time."""
        with new_channel(target.address, initial_reconnect_backoff_ms=100, min_reconnect_backoff_ms=1000,
                         max_reconnect_backoff_ms=500) as channel:
            stub = analysis_pb2_grpc.AnalysisServiceStub(channel)
            try:
                stub.GetServerInfo(analysis_pb2.GetServerInfoRequest(), timeout=seconds, wait_for_ready=True)
            except grpc.RpcError:
                return False
            return True

    def await_settled(self, target):
        """Until the server has dealt with what came: its descriptors have been as many for a fifth of a second."""
        counts = []

        def settled():
            counts.append(measure.descriptors(target.pid))
            return len(counts) > 200 and len(set(counts[-200:])) == 1

        self.assertTrue(wait_until(settled))

    def attack(self, target, hold):
        """Opens too many connections and keeps them while `hold` runs, which old connections must survive."""
        target.info()  # a connection that was there before
        peers = [self.connect(target) for _ in range(_CONNECTIONS)]
        try:
            self.await_settled(target)
            return hold()
        finally:
            for peer in peers:
                peer.close()

    def test_accepts_again_when_connections_are_closed(self):
        target = self.start("--workers", "1", prefix=("prlimit", f"--nofile={_LIMIT}:{_LIMIT}"))
        before = measure.descriptors(target.pid)

        def hold():
            for _ in range(20):
                self.assertEqual(target.live(), 0)  # over the old connection
            return measure.descriptors(target.pid)

        held = self.attack(target, hold)
        began = time.monotonic()
        answered = self.answers_newcomers(target, 4 * _RECOVERY)
        seconds = time.monotonic() - began
        self.say(f"{before} descriptors at the start, {held} of {_LIMIT} while {_CONNECTIONS} connections were open; "
                 f"newcomer answered: {answered}, after {seconds:.1f} s")
        self.assertLess(held, _LIMIT, "no descriptor was left for anything else")
        self.assertTrue(answered, "it never accepted again")
        self.assertLess(seconds, _RECOVERY)
        self.assertTrue(wait_until(lambda: measure.descriptors(target.pid) <= before + 4, 2 * _RECOVERY),
                        f"{measure.descriptors(target.pid)} descriptors at the end")
        self.assert_serves(target)

    def test_recovers_again_and_again(self):
        target = self.start("--workers", "1", prefix=("prlimit", f"--nofile={_LIMIT}:{_LIMIT}"))
        for round_ in range(3):
            self.attack(target, lambda: None)
            self.assertTrue(self.answers_newcomers(target, _RECOVERY), f"not after attack {round_ + 1}")

    def test_raises_its_soft_limit(self):
        target = self.start("--workers", "1", prefix=("prlimit", f"--nofile={_LIMIT}:1024"))

        def hold():
            return self.answers_newcomers(target, _RECOVERY), measure.descriptors(target.pid)

        answered, held = self.attack(target, hold)
        self.say(f"{held} descriptors with {_CONNECTIONS} connections, soft limit {_LIMIT}, hard limit 1024")
        self.assertTrue(answered, "it kept to a limit that it may raise")
        self.assertGreater(held, _CONNECTIONS)

    def test_newcomers_that_come_while_it_is_full(self):
        """Whoever is turned away is told so at once, or is served when there is room: nobody hangs for ever."""
        target = self.start("--workers", "1", prefix=("prlimit", f"--nofile={_LIMIT}:{_LIMIT}"))
        answers = []
        newcomer = threading.Thread(target=lambda: answers.append(self.answers_newcomers(target, 4 * _RECOVERY)))
        self.attack(target, newcomer.start)
        newcomer.join()
        self.assertEqual(answers, [True])


if __name__ == "__main__":
    xml_unittest.main()
