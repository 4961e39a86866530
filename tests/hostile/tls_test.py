"""Attacks on the handshake of TLS: who never finishes one holds nobody up, and not for long."""

import contextlib
import os
import socket
import time

from tests.hostile import measure
from tests.hostile.attacks import client_hello
from tests.hostile.target import HostileTest
from tests.integration.certificates import Certificates
from tests.integration.service import PATIENCE, analysis_pb2_grpc, position_pb2, wait_until
from tests.suite import xml_unittest

_CONNECTIONS = 200
_HANDSHAKE_SECONDS = 10  # the server's bound


class TlsTest(HostileTest):

    def setUp(self):
        super().setUp()
        self.certificates = Certificates()
        self.addCleanup(self.certificates.close)
        self.target = self.start(*self.certificates.server_flags())
        self.channel = self.certificates.channel(self.target.address)
        self.addCleanup(self.channel.close)
        self.ask()

    def ask(self, channel=None):
        """How long an honest client waits for an answer, in seconds."""
        begin = time.monotonic()
        stub = analysis_pb2_grpc.AnalysisServiceStub(channel or self.channel)
        stub.LegalMoves(position_pb2.LegalMovesRequest(), timeout=PATIENCE)
        return time.monotonic() - begin

    def ask_anew(self):
        """The same for one who was not there before."""
        with self.certificates.channel(self.target.address) as channel:
            return self.ask(channel)

    def connect(self, first_bytes):
        """Many connections that begin so and then say nothing."""
        host, port = self.target.address.split(":")
        sockets = []
        for _ in range(_CONNECTIONS):
            sockets.append(socket.create_connection((host, int(port)), PATIENCE))
            self.addCleanup(sockets[-1].close)
            sockets[-1].sendall(first_bytes)
        return sockets

    def descriptors(self):
        return measure.descriptors(self.target.pid)

    def test_stalled_handshakes(self):
        hello = client_hello()
        for name, first_bytes in (("nothing", b""), ("half a hello", hello[:len(hello) // 2]), ("a hello", hello)):
            with self.subTest(name):
                before, threads = self.descriptors(), measure.threads(self.target.pid)
                sockets = self.connect(first_bytes)
                begin = time.monotonic()
                worst = max(max(self.ask() for _ in range(20)), self.ask_anew())
                self.assertLess(worst, _HANDSHAKE_SECONDS / 2)
                self.assertTrue(wait_until(lambda: self.descriptors() <= before), f"{self.descriptors()} not {before}")
                self.say(f"{name}: honest client at worst {worst * 1000:.0f} ms, "
                         f"all {len(sockets)} closed after {time.monotonic() - begin:.1f} s")
                # Threads come with the first of some kinds of work, but not with each connection.
                self.assertLessEqual(measure.threads(self.target.pid), threads + 6)

    def test_garbage_instead_of_a_handshake(self):
        before = self.descriptors()
        for garbage in (os.urandom(1 << 12), b"GET / HTTP/1.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                        b"\x16\x03\x01\xff\xff" + b"\0" * 70_000):
            for connection in self.connect(b""):
                with contextlib.suppress(OSError):
                    connection.sendall(garbage)
                connection.close()
        self.assertLess(self.ask_anew(), _HANDSHAKE_SECONDS / 2)
        self.assertTrue(wait_until(lambda: self.descriptors() <= before), f"{self.descriptors()} not {before}")

    def test_handshakes_given_up_half_way(self):
        before = self.descriptors()
        for connection in self.connect(client_hello()):
            connection.close()
        self.assertLess(self.ask_anew(), _HANDSHAKE_SECONDS / 2)
        self.assertTrue(wait_until(lambda: self.descriptors() <= before), f"{self.descriptors()} not {before}")


if __name__ == "__main__":
    xml_unittest.main()
