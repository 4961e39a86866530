"""Interactive calls on a farm: questions about a position find the node that knows it, and go on when it dies."""

import collections
import subprocess
import tempfile
import time
import unittest

import grpc

from tests.hostile.front import Front
from tests.integration.service import (KIBITZ, PATIENCE, Server, analysis_pb2, analysis_pb2_grpc, environment,
                                       wait_until)
from tests.suite import xml_unittest

_NODES = 3
_KEYS = [f"key {number}" for number in range(60)]
_LIVE = 15  # seconds of a search in which a node dies, if nobody stops it
_FEN = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"


class AffinityTest(unittest.TestCase):

    def setUp(self):
        # By the size of its table everybody can tell which node it is.
        self.nodes = []
        self.logs = []
        for number in range(_NODES):
            self.logs.append(tempfile.NamedTemporaryFile("w+"))
            self.addCleanup(self.logs[-1].close)
            self.nodes.append(Server("--workers", "1", "--hash-mb", str(number + 1), errors=self.logs[-1]))
            self.addCleanup(self.nodes[-1].stop)
        self.front = Front(*(node.address for node in self.nodes))
        self.addCleanup(self.front.stop)
        channel = grpc.insecure_channel(self.front.address)
        self.addCleanup(channel.close)
        self.stub = analysis_pb2_grpc.AnalysisServiceStub(channel)

    def node_of(self, key):
        """The number of the node that a question with this key comes to."""
        # The front bounds how often one address may ask.
        time.sleep(0.006)
        info = self.stub.GetServerInfo(analysis_pb2.GetServerInfoRequest(), timeout=PATIENCE,
                                       metadata=(("x-position-key", key),))
        return info.hash_mb - 1

    def live(self, number):
        with grpc.insecure_channel(self.nodes[number].address) as channel:
            info = analysis_pb2_grpc.AnalysisServiceStub(channel).GetServerInfo(analysis_pb2.GetServerInfoRequest(),
                                                                                timeout=PATIENCE)
        return info.live_analyses

    def busy(self):
        """The node that searches."""
        found = []
        wait_until(lambda: found.extend(number for number, node in enumerate(self.nodes)
                                        if node.process.poll() is None and self.live(number)) or found)
        return found[0]

    def test_asks_the_same_node_about_the_same_position(self):
        nodes = {key: self.node_of(key) for key in _KEYS}
        self.assertEqual(set(nodes.values()), set(range(_NODES)), "all have their part")
        self.assertEqual({key: self.node_of(key) for key in _KEYS}, nodes)

    def test_moves_the_positions_of_a_dead_node_only(self):
        nodes = {key: self.node_of(key) for key in _KEYS}
        dead = nodes[_KEYS[0]]
        self.nodes[dead].stop()
        codes = collections.Counter()
        for key, node in nodes.items():
            try:
                now = self.node_of(key)
                self.assertNotEqual(now, dead)
                if node != dead:
                    self.assertEqual(now, node)
            except grpc.RpcError as error:
                self.assertEqual(error.code(), grpc.StatusCode.UNAVAILABLE)
                codes[node] += 1
        self.assertFalse(set(codes) - {dead}, "nobody else's calls fail")

    def test_sends_the_key_of_the_position(self):
        where = set()
        for clocks in ("0 8", "5 20", "11 33"):
            search = subprocess.Popen([KIBITZ, "analyze", "--server", self.front.address, "--movetime",
                                       str(_LIVE * 1000), _FEN.replace("0 8", clocks)], env=environment(), stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
            where.add(self.busy())
            search.kill()
            search.wait(PATIENCE)
            wait_until(lambda: not any(self.live(number) for number in range(_NODES)))
        self.assertEqual(len(where), 1)

    def test_goes_on_elsewhere_with_the_time_that_is_left(self):
        started = time.monotonic()
        search = subprocess.Popen([KIBITZ, "analyze", "--server", self.front.address, "--movetime", "4000", _FEN],
                                  env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # Something must have come: what was lost before might as well have never been there.
        output = search.stdout.readline()
        self.nodes[self.busy()].stop()
        output += search.stdout.read()
        errors = search.stderr.read()
        self.assertEqual(search.wait(PATIENCE), 0, errors)
        self.assertIn("going on elsewhere", errors)
        self.assertIn("best move", output)
        self.assertLess(time.monotonic() - started, 12)

    def test_plays_on_elsewhere(self):
        bridge = subprocess.Popen([KIBITZ, "uci", "--server", self.front.address], env=environment(),
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                  bufsize=1)
        self.addCleanup(bridge.stdout.close)
        self.addCleanup(bridge.wait, PATIENCE)
        self.addCleanup(bridge.stdin.close)
        bridge.stdin.write("position startpos\ngo movetime 4000\n")
        self.nodes[self.busy()].stop()
        said = []
        for line in bridge.stdout:
            said.append(line)
            if line.startswith("bestmove"):
                break
        self.assertTrue(any("going on elsewhere" in line for line in said), said[-5:])


if __name__ == "__main__":
    xml_unittest.main()
