"""The commands over TLS and with keys, against a server that knows both: what works, and what is said when it does not."""

import concurrent.futures
import pathlib
import tempfile

import grpc

from tests.client.cli import certificates
from tests.client.cli import program
from tests.suite import xml_unittest

KEY = "kbz_sesame"


class Guarded(grpc.GenericRpcHandler):
    """Answers every call with nothing at all, if it knows the key."""

    def service(self, details):
        keys = [value for name, value in details.invocation_metadata if name == "authorization"]

        def answer(_, context):
            if keys != [f"Bearer {KEY}"]:
                context.abort(grpc.StatusCode.UNAUTHENTICATED, "there is no such key")
            return b""

        return grpc.unary_unary_rpc_method_handler(answer)


class TlsTest(program.ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.authority = certificates.Authority(self.folder)
        self.key_file = self.folder / "key"
        self.key_file.write_text(KEY + "\n")

    def serve(self, cert=None, key=None):
        """The address of a server with that certificate; without one it speaks plaintext."""
        server = grpc.server(concurrent.futures.ThreadPoolExecutor(2), handlers=[Guarded()])
        if cert is None:
            port = server.add_insecure_port("127.0.0.1:0")
        else:
            pair = (key.read_bytes(), cert.read_bytes())
            port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([pair]))
        server.start()
        self.addCleanup(server.stop, None)
        return f"127.0.0.1:{port}"

    def info(self, server, *arguments, **changes):
        return self.kibitz("info", "--json", "--server", server, *arguments, **changes)

    def assert_told(self, result, *words):
        self.assert_fails(result, 1, *words)
        self.assertNotIn(KEY, result.stderr)

    def test_is_told_by_flags_or_by_the_environment(self):
        server = self.serve(*self.authority.sign())
        by_flags = self.info(server, "--tls-ca", str(self.authority.ca), "--key-file", str(self.key_file))
        by_environment = self.kibitz("info", "--json", KIBITZ_SERVER=server, KIBITZ_TLS_CA=str(self.authority.ca),
                                     KIBITZ_KEY_FILE=str(self.key_file))
        for result in (by_flags, by_environment):
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertNotIn(KEY, result.stdout)

    def test_says_that_another_key_is_wanted(self):
        server = self.serve(*self.authority.sign())
        for changes in ({}, {"KIBITZ_KEY": "kbz_wrong"}):
            result = self.info(server, "--tls-ca", str(self.authority.ca), **changes)
            self.assert_told(result, f"{server} does not accept this key", "--key-file FILE")
            self.assertNotIn("kbz_wrong", result.stderr)

    def test_says_what_is_wrong_with_a_certificate(self):
        other = certificates.Authority(self.folder, "other")
        good, expired = self.serve(*self.authority.sign()), self.serve(*self.authority.sign(days=-1))
        stranger = self.serve(*self.authority.sign(names="DNS:other.example"))
        ca, key = ("--tls-ca", str(self.authority.ca)), {"KIBITZ_KEY": KEY}
        self.assert_told(self.info(good, "--tls-ca", str(other.ca), **key), "is signed by CN = authority", "--tls-ca")
        self.assert_told(self.info(good, "--tls", **key), "is signed by CN = authority", "--tls-ca")
        self.assert_told(self.info(expired, *ca, **key), f"the certificate of {expired} expired on 20")
        self.assert_told(self.info(stranger, *ca, **key), "is for other.example")
        self.assertEqual(self.info(stranger, *ca, "--tls-server-name", "other.example", **key).returncode, 0)

    def test_tells_plaintext_from_tls(self):
        secure, plain = self.serve(*self.authority.sign()), self.serve()
        self.assert_told(self.info(secure, KIBITZ_KEY=KEY), f"{secure} speaks TLS", "--tls-ca")
        self.assert_told(self.info(plain, "--tls-ca", str(self.authority.ca), KIBITZ_KEY=KEY),
                         f"{plain} does not speak TLS", "leave out")

    def test_keeps_the_key_off_the_network_in_plaintext(self):
        for command in (["info"], ["moves"], ["perft", "1"], ["analyze"], ["bench"]):
            result = self.kibitz(*command, "--server", "192.0.2.1:1", "--key-file", str(self.key_file))
            self.assert_told(result, "in plaintext", "--tls-ca FILE", "--insecure")

    def test_looks_at_the_files_first(self):
        result = self.info("127.0.0.1:1", "--tls-ca", str(self.key_file))
        self.assert_told(result, f"the CA file {self.key_file} holds no certificate")


if __name__ == "__main__":
    xml_unittest.main()
