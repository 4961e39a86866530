"""TLS with real certificates: who gets in, what is refused at start, and what happens when files are replaced."""

import shutil
import socket
import ssl
import subprocess
import tempfile
import unittest

import grpc

from tests.integration.certificates import Certificates
from tests.integration.service import (KIBITZD, PATIENCE, Server, analysis_pb2, analysis_pb2_grpc, environment,
                                       position_pb2, wait_until)
from tests.suite import xml_unittest


def legal_moves(channel):
    request = position_pb2.LegalMovesRequest()
    return analysis_pb2_grpc.AnalysisServiceStub(channel).LegalMoves(request, timeout=PATIENCE)


class TlsTest(unittest.TestCase):

    def certificates(self, **options):
        made = Certificates(**options)
        self.addCleanup(made.close)
        return made

    def start(self, *flags, **options):
        log = tempfile.TemporaryFile("w+")
        self.addCleanup(log.close)
        server = Server("--hash-mb", "1", *flags, errors=log, **options)
        self.addCleanup(server.stop)
        server.read_log = lambda: (log.seek(0), log.read())[1]
        self.assertTrue(server.listening, server.read_log())
        return server

    def channel(self, certificates, server, **options):
        channel = certificates.channel(server.address, **options)
        self.addCleanup(channel.close)
        return channel

    def assert_refused(self, channel):
        with self.assertRaises(grpc.RpcError) as caught:
            legal_moves(channel)
        self.assertEqual(caught.exception.code(), grpc.StatusCode.UNAVAILABLE)


class ConnectionTest(TlsTest):

    def test_who_trusts_the_authority_is_served(self):
        certificates = self.certificates()
        server = self.start(*certificates.server_flags())
        self.assertEqual(len(legal_moves(self.channel(certificates, server)).moves), 20)

    def test_plaintext_is_not_answered(self):
        server = self.start(*self.certificates().server_flags())
        with grpc.insecure_channel(server.address) as channel:
            self.assert_refused(channel)

    def test_who_trusts_another_authority_does_not_talk(self):
        server = self.start(*self.certificates().server_flags())
        self.assert_refused(self.channel(self.certificates(), server))

    def test_old_versions_of_tls_are_refused(self):
        certificates = self.certificates()
        server = self.start(*certificates.server_flags())
        host, port = server.address.split(":")
        context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
        context.set_alpn_protocols(["h2"])
        with socket.create_connection((host, int(port)), PATIENCE) as plain:
            with context.wrap_socket(plain, server_hostname="localhost") as secure:
                self.assertIn(secure.version(), ("TLSv1.2", "TLSv1.3"))
                self.assertEqual(secure.selected_alpn_protocol(), "h2")
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("DEFAULT@SECLEVEL=0")
        with socket.create_connection((host, int(port)), PATIENCE) as plain:
            with self.assertRaises((ssl.SSLError, ConnectionError)):
                context.wrap_socket(plain, server_hostname="localhost")


class MutualTest(TlsTest):

    def test_only_clients_of_the_authority_are_served(self):
        certificates = self.certificates()
        server = self.start(*certificates.server_flags(mutual=True))
        self.assertEqual(len(legal_moves(self.channel(certificates, server, client=certificates)).moves), 20)
        self.assert_refused(self.channel(certificates, server))
        self.assert_refused(self.channel(certificates, server, client=self.certificates()))
        self.assertEqual(len(legal_moves(self.channel(certificates, server, client=certificates)).moves), 20)


class StartTest(TlsTest):

    def refusal(self, *flags, listen="127.0.0.1:0", code=2):
        """What a server that is not to start says."""
        result = subprocess.run([KIBITZD, "--listen", listen, *flags], capture_output=True, text=True,
                                timeout=PATIENCE, env=environment())
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def test_a_certificate_needs_its_key(self):
        certificates = self.certificates()
        self.assertIn("both --tls-cert and --tls-key", self.refusal("--tls-cert", certificates.path("server.pem")))
        self.assertIn("both --tls-cert and --tls-key", self.refusal("--tls-client-ca", certificates.path("ca.pem")))
        self.assertIn("client.key is not the key of the first certificate",
                      self.refusal("--tls-cert", certificates.path("server.pem"), "--tls-key",
                                   certificates.path("client.key")))

    def test_files_that_cannot_be_read(self):
        error = self.refusal("--tls-cert", "/nowhere/server.pem", "--tls-key", "/nowhere/server.key", code=1)
        self.assertIn("/nowhere/server.pem cannot be read: No such file", error)

    def test_an_expired_certificate(self):
        certificates = self.certificates(days=1, ago=3)
        self.assertIn("server.pem holds a certificate that expired at", self.refusal(*certificates.server_flags()))

    def test_plaintext_off_loopback_is_refused_unless_it_is_said(self):
        for listen in ("0.0.0.0:0", "[::]:0"):
            with self.subTest(listen=listen):
                if listen.startswith("[") and not socket.has_ipv6:
                    self.skipTest("this machine has no IPv6")
                error = self.refusal(listen=listen)
                for word in ("without TLS", "--tls-cert", "--tls-key", "kibitz tls init", "--insecure", "127.0.0.1"):
                    self.assertIn(word, error)
        server = self.start("--insecure", listen="0.0.0.0:0")
        with grpc.insecure_channel("127.0.0.1:" + server.address.split(":")[1]) as channel:
            self.assertEqual(len(legal_moves(channel).moves), 20)

    def test_tls_may_listen_anywhere(self):
        certificates = self.certificates()
        server = self.start(*certificates.server_flags(), listen="0.0.0.0:0")
        server.address = server.address.replace("0.0.0.0", "127.0.0.1")
        self.assertEqual(len(legal_moves(self.channel(certificates, server)).moves), 20)


class ReplacementTest(TlsTest):

    def sees(self, certificates, server):
        """Whether somebody new who trusts this authority is served."""
        try:
            legal_moves(self.channel(certificates, server))
            return True
        except grpc.RpcError:
            return False

    def test_new_connections_see_the_new_certificate_and_old_streams_go_on(self):
        old, new = self.certificates(), self.certificates()
        server = self.start(*old.server_flags())
        channel = self.channel(old, server)
        endless = analysis_pb2.AnalyzeRequest(limits=analysis_pb2.Limits(infinite=True))
        stream = analysis_pb2_grpc.AnalysisServiceStub(channel).Analyze(endless, timeout=PATIENCE)
        next(stream)
        old.replace_by(new, "server.pem", "server.key")
        self.assertTrue(wait_until(lambda: self.sees(new, server)), server.read_log())
        self.assertFalse(self.sees(old, server))
        self.assertTrue(next(stream).HasField("update"))
        self.assertEqual(len(legal_moves(channel).moves), 20)
        stream.cancel()

    def test_a_bad_replacement_is_not_used(self):
        old, new = self.certificates(), self.certificates()
        server = self.start(*old.server_flags())
        old.replace_by(new, "server.pem")
        self.assertTrue(wait_until(lambda: "the old ones stay" in server.read_log()), server.read_log())
        self.assertIn("server.key is not the key of the first certificate", server.read_log())
        self.assertTrue(self.sees(old, server))
        old.replace_by(new, "server.key")
        self.assertTrue(wait_until(lambda: self.sees(new, server)), server.read_log())

    def test_a_new_authority_of_clients(self):
        old, new = self.certificates(), self.certificates()
        server = self.start(*old.server_flags(mutual=True))
        original = self.certificates()
        shutil.copytree(old.folder, original.folder, dirs_exist_ok=True)
        self.assert_refused(self.channel(original, server, client=new))
        old.replace_by(new, "ca.pem")

        def served():
            try:
                return len(legal_moves(self.channel(original, server, client=new)).moves) == 20
            except grpc.RpcError:
                return False

        self.assertTrue(wait_until(served), server.read_log())
        self.assert_refused(self.channel(original, server, client=original))


if __name__ == "__main__":
    xml_unittest.main()
