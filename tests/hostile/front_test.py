"""What may face the internet: the shipped HAProxy configuration, attacked."""

import concurrent.futures
import contextlib
import signal
import subprocess
import tempfile
import threading
import time

import grpc

from tests.hostile import front, http2
from tests.hostile.attacks import ATTACKS
from tests.hostile.flood import FloodTest, add_cases
from tests.hostile.front import Front
from tests.hostile.target import HostileTest, Target, new_channel
from tests.integration.service import PATIENCE, analysis_pb2, analysis_pb2_grpc, position_pb2, wait_until
from tests.suite import xml_unittest

_SECONDS = 0.5  # of an attack
# Of the server behind the front, whatever comes from one address: its own bounds allow it more.
_PEAK_MB = 200
_PATIENCE_OF_FRONT = 9  # seconds: it waits for 5
_SLOW_DOWN = "more than 200 calls a second"

_sources = (f"127.0.{high}.{low}" for high in range(1, 255) for low in range(1, 255))


class BehindFrontTest(FloodTest):
    """One server and one front for all cases; each attack comes from an address of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.target = Target("--workers", "2")
        cls.addClassCleanup(cls.target.stop)
        cls.front = Front(cls.target.address)
        cls.addClassCleanup(cls.front.stop)

    def attack(self, attack):
        self.check(self.target, attack, _SECONDS, address=self.front.address, source=next(_sources),
                   max_peak_mb=_PEAK_MB)
        self.assertIsNone(self.front.process.poll(), self.front.log())


@add_cases(ATTACKS, BehindFrontTest.attack)
class AttacksTest(BehindFrontTest):
    pass


class ConfigurationTest(HostileTest):

    def certificate(self):
        """A certificate of localhost and its key, in one file."""
        file = tempfile.NamedTemporaryFile(suffix=".pem")
        self.addCleanup(file.close)
        made = subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
             "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", file.name], check=True,
            capture_output=True, timeout=PATIENCE)
        with open(file.name, "ab") as both:
            both.write(made.stdout)
        return file.name

    def test_is_valid_in_each_of_its_forms(self):
        pem = self.certificate()
        for variables in [{}, {"KIBITZ_SERVER_2": "127.0.0.1:50052"}, {"KIBITZ_FRONT_CERT": pem},
                          {"KIBITZ_SERVER_CA": pem, "KIBITZ_SERVER_2": "127.0.0.1:50052"}]:
            with self.subTest(variables=variables):
                valid, words = front.check(**variables)
                self.assertTrue(valid, words)
                self.assertNotIn("WARNING", words)

    def test_holds_tls(self):
        pem = self.certificate()
        target = self.start("--workers", "1")
        edge = Front(target.address, KIBITZ_FRONT_CERT=pem)
        self.addCleanup(edge.stop)
        with open(pem, "rb") as file:
            credentials = grpc.ssl_channel_credentials(file.read())
        with grpc.secure_channel(edge.address, credentials,
                                 options=[("grpc.ssl_target_name_override", "localhost")]) as channel:
            stub = analysis_pb2_grpc.AnalysisServiceStub(channel)
            self.assertEqual(len(stub.LegalMoves(position_pb2.LegalMovesRequest(), timeout=PATIENCE).moves), 20)


class _Echo(grpc.GenericRpcHandler):
    """A server in the place of ours that remembers what it was told beside the request, and answers with a status."""

    def __init__(self, status=grpc.StatusCode.OK):
        self.heard = []
        self._status = status

    def service(self, details):
        if "Health" in details.method:  # SERVING
            return grpc.unary_unary_rpc_method_handler(lambda request, context: b"\x08\x01")
        self.heard.append(dict(details.invocation_metadata))
        return grpc.unary_unary_rpc_method_handler(self._answer)

    def _answer(self, _, context):
        if self._status is not grpc.StatusCode.OK:
            context.abort(self._status, "because it is so")
        return b""

    def serve(self, case):
        """Its address, until the end of the case."""
        server = grpc.server(concurrent.futures.ThreadPoolExecutor(4), handlers=[self])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        case.addCleanup(lambda: server.stop(0).wait())
        return f"127.0.0.1:{port}"


class CallsTest(HostileTest):

    def front_of(self, *servers):
        edge = Front(*servers)
        self.addCleanup(edge.stop)
        return edge

    def call(self, address, source=None, metadata=()):
        """The status of one call, and the words with it."""
        with http2.Connection(address, source=source) as connection:
            call = connection.open(http2.SERVICE + "LegalMoves", http2.message(b""), end=True, metadata=metadata)
            return connection.wait_for_status(call)

    def test_tells_who_calls(self):
        echo = _Echo()
        edge = self.front_of(echo.serve(self))
        self.call(edge.address, "127.0.0.7", [("x-forwarded-for", "192.0.2.1"), ("x-request-id", "mine")])
        self.call(edge.address, "127.0.0.8")
        self.assertEqual([heard["x-forwarded-for"] for heard in echo.heard], ["127.0.0.7", "127.0.0.8"])
        self.assertEqual(echo.heard[0]["x-request-id"], "mine")
        self.assertRegex(echo.heard[1]["x-request-id"], r"^[0-9a-f-]{36}$")

    def test_serves_no_reflection(self):
        edge = self.front_of(self.start().address)
        with http2.Connection(edge.address) as connection:
            for method in ("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                           "/kibitz.v1.AdminService/Anything", "/"):
                call = connection.open(method, http2.message(b""), end=True)
                self.assertEqual(connection.wait_for_status(call), grpc.StatusCode.UNIMPLEMENTED.value[0])

    def test_too_eager_clients_are_told_to_come_back(self):
        edge = self.front_of(self.start("--workers", "1").address)
        with new_channel(edge.address) as channel:
            stub = analysis_pb2_grpc.AnalysisServiceStub(channel)
            calls = [stub.LegalMoves.future(position_pb2.LegalMovesRequest(), timeout=PATIENCE) for _ in range(400)]
            codes = {call.code() for call in calls}
            self.assertEqual(codes, {grpc.StatusCode.OK, grpc.StatusCode.RESOURCE_EXHAUSTED})
            refused = next(call for call in calls if call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED)
            self.assertIn(_SLOW_DOWN, refused.details())
            self.assertEqual(self.call(edge.address, "127.0.0.9"), 0, "others are not served")
            # The rate is of the last second, more or less; who asks without a pause stays too eager.
            self.assertTrue(wait_until(lambda: time.sleep(1) or self.call(edge.address) == 0))

    def test_keys_cannot_be_guessed_for_long(self):
        edge = self.front_of(_Echo(grpc.StatusCode.UNAUTHENTICATED).serve(self))
        codes = [self.call(edge.address, "127.0.0.10") for _ in range(40)]
        unauthenticated, exhausted = (code.value[0] for code in (grpc.StatusCode.UNAUTHENTICATED,
                                                                 grpc.StatusCode.RESOURCE_EXHAUSTED))
        self.assertEqual(codes, [unauthenticated] * 31 + [exhausted] * 9)
        self.assertEqual(self.call(edge.address, "127.0.0.11"), unauthenticated, "others are not served")

    def test_connections_of_one_address_are_bounded(self):
        edge = self.front_of(self.start().address)
        peers = []
        for _ in range(80):
            with contextlib.suppress(ConnectionError):
                peers.append(http2.Connection(edge.address, source="127.0.0.12"))
                self.addCleanup(peers[-1].close)
        self.assertEqual(sum(not peer.closed for peer in peers), 50)
        self.assertEqual(self.call(edge.address, "127.0.0.13"), 0)

    def test_silent_connections_are_closed(self):
        edge = self.front_of(self.start().address)
        began = time.monotonic()
        peers = {}
        for words in (b"", http2.PREFACE[:10], http2.PREFACE):
            peers[words] = http2.connect(edge.address)
            self.addCleanup(peers[words].close)
            peers[words].sendall(words)
        for words, peer in peers.items():
            with self.subTest(words=words):
                while peer.recv(1000):
                    pass
                self.assertLess(time.monotonic() - began, _PATIENCE_OF_FRONT)

    def test_the_other_server_takes_over(self):
        servers = [self.start("--workers", "1"), self.start("--workers", "1")]
        edge = self.front_of(*(server.address for server in servers))
        servers[0].process.kill()
        codes = [self.call(edge.address) for _ in range(20)]
        self.assertEqual(set(codes), {0})
        servers[1].process.kill()
        self.assertTrue(wait_until(lambda: self.call(edge.address) == grpc.StatusCode.UNAVAILABLE.value[0], 10))


class _Load:
    """Calls through a front from several threads, until it is left, and what failed of them."""

    def __init__(self, address):
        self._over = threading.Event()
        self._channel = new_channel(address)
        self._stub = analysis_pb2_grpc.AnalysisServiceStub(self._channel)
        self.done = 0
        self.failures = []
        analysis = analysis_pb2.AnalyzeRequest(limits={"movetime": {"nanos": 200_000_000}}, threads=1)
        calls = [lambda: self._stub.LegalMoves(position_pb2.LegalMovesRequest(), timeout=PATIENCE),
                 lambda: list(self._stub.Analyze(analysis, timeout=PATIENCE)),
                 lambda: list(self._stub.Perft(analysis_pb2.PerftRequest(depth=3), timeout=PATIENCE))]
        self._threads = [threading.Thread(target=self._run, args=(call,)) for call in calls]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        self._channel.close()

    def _run(self, call):
        while not self._over.wait(0.02):  # far from being too eager
            try:
                call()
                self.done += 1
            except grpc.RpcError as error:
                self.failures.append(f"{error.code().name}: {error.details()}")


class RollingRestartTest(HostileTest):

    def test_no_call_fails(self):
        flags = ("--workers", "1", "--drain-delay-ms", "3000")
        servers = {"one": self.start(*flags), "two": self.start(*flags)}
        edge = Front(*(server.address for server in servers.values()))
        self.addCleanup(edge.stop)
        with _Load(edge.address) as load:
            for name, old in servers.items():
                old.signal(signal.SIGTERM)
                self.assertEqual(old.wait()[0], 0)
                self.start(*flags, listen=old.address)
                self.assertTrue(wait_until(lambda name=name: f"Server kibitzd/{name} is UP" in edge.log()), edge.log())
        self.say(f"{load.done} calls while both servers were restarted, {len(load.failures)} failed")
        self.assertEqual(load.failures, [])
        self.assertGreater(load.done, 50)


if __name__ == "__main__":
    xml_unittest.main()
