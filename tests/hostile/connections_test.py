"""Connections have bounds: how many one peer may have, by when they must speak, and how old they become."""

import contextlib
import socket
import time

from tests.hostile import http2
from tests.hostile.target import ENDLESS, HostileTest, new_channel
from tests.integration.service import PATIENCE, analysis_pb2, analysis_pb2_grpc
from tests.suite import xml_unittest

_PER_PEER = 5


def _connect(target, source):
    host, port = target.address.split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE, source_address=(source, 0))


def _speaks(connection):
    """Whether the server says something, rather than to close."""
    with contextlib.suppress(ConnectionError):
        connection.sendall(http2.PREFACE + http2.frame(http2.SETTINGS, 0, 0))
        return bool(connection.recv(1))
    return False


class ConnectionsTest(HostileTest):

    def test_one_peer_cannot_have_all(self):
        target = self.start("--max-connections-per-peer", str(_PER_PEER), "--proxies", "")
        target.channel.close()  # it is from the same address as what follows
        with contextlib.ExitStack() as stack:
            greedy = [stack.enter_context(_connect(target, "127.0.0.2")) for _ in range(4 * _PER_PEER)]
            self.assertEqual(sum(map(_speaks, greedy)), _PER_PEER)
            self.assertTrue(_speaks(stack.enter_context(_connect(target, "127.0.0.3"))))
            self.assert_serves(target)
        self.assertIn("--max-connections-per-peer", target.log())

    def test_a_proxy_speaks_for_many(self):
        target = self.start("--max-connections-per-peer", str(_PER_PEER))
        with contextlib.ExitStack() as stack:
            many = [stack.enter_context(_connect(target, "127.0.0.2")) for _ in range(4 * _PER_PEER)]
            self.assertTrue(all(map(_speaks, many)))

    def test_who_says_nothing_is_cut_off(self):
        target = self.start("--handshake-ms", "500")
        for words in [b"", http2.PREFACE[:10]]:
            with _connect(target, "127.0.0.1") as silent:
                start = time.monotonic()
                silent.sendall(words)
                while silent.recv(1 << 16):  # its own settings may come first
                    pass
                self.say(f"{len(words)} bytes said, closed after {time.monotonic() - start:.1f} s")
                self.assertGreater(time.monotonic() - start, 0.4)
        self.assert_serves(target)

    def test_an_old_connection_takes_no_new_calls_but_its_streams_go_on(self):
        target = self.start("--max-connection-age-s", "1")
        message = http2.message(ENDLESS.SerializeToString())
        with http2.Connection(target.address) as connection:
            call = connection.open(http2.SERVICE + "Analyze", message)
            stream = connection.streams[call]
            self.assertTrue(connection.wait(lambda: connection.goaway is not None), "it was not told to go")
            self.assertEqual(connection.goaway, 0)
            heard = len(stream.messages)
            # Its search goes on for twice the age, and more.
            end = time.monotonic() + 2.5
            connection.wait(lambda: time.monotonic() > end, 3)
            self.assertFalse(stream.ended or connection.closed)
            self.assertTrue(connection.wait(lambda: len(stream.messages) > heard), "nothing more came")
            self.assertEqual(target.live(), 1)
            connection.reset(call)
            self.assertTrue(connection.wait(lambda: connection.closed), "it stays open when all its streams have ended")
        self.await_live(target, 0)

    def test_clients_do_not_notice_the_age(self):
        """Calls one after the other for several times the age, none of which fails."""
        target = self.start("--max-connection-age-s", "1")
        calls, end = 0, time.monotonic() + 4
        with new_channel(target.address) as channel:
            stub = analysis_pb2_grpc.AnalysisServiceStub(channel)
            while time.monotonic() < end:
                stub.GetServerInfo(analysis_pb2.GetServerInfoRequest(), timeout=PATIENCE)
                calls += 1
        self.say(f"{calls} calls")


if __name__ == "__main__":
    xml_unittest.main()
