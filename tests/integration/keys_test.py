"""Keys with a real server: who gets in, what each may do, and what happens when the file changes."""

import subprocess
import tempfile
import unittest

import grpc

from tests.integration.keys import Keys, shown
from tests.integration.service import (KIBITZD, PATIENCE, Details, Server, analysis_pb2, analysis_pb2_grpc, environment,
                                       health_pb2, health_pb2_grpc, position_pb2, reflection_pb2, reflection_pb2_grpc,
                                       wait_until)
from tests.suite import xml_unittest


class KeysTest(unittest.TestCase):

    def setUp(self):
        self.keys = Keys()
        self.addCleanup(self.keys.close)

    def start(self, *flags):
        log = tempfile.TemporaryFile("w+")
        self.addCleanup(log.close)
        server = Server("--hash-mb", "1", "--log-level", "debug", *self.keys.flags, *flags, errors=log)
        self.addCleanup(server.stop)
        self.read_log = lambda: (log.seek(0), log.read())[1]
        self.assertTrue(server.listening, self.read_log())
        self.server = server
        self.channel = grpc.insecure_channel(server.address)
        self.addCleanup(self.channel.close)
        self.stub = analysis_pb2_grpc.AnalysisServiceStub(self.channel)

    def legal_moves(self, key=None):
        return self.stub.LegalMoves(position_pb2.LegalMovesRequest(), timeout=PATIENCE,
                                    metadata=shown(key) if key else None)

    def fault(self, call):
        with self.assertRaises(grpc.RpcError) as caught:
            call()
        details = Details(caught.exception)
        return details.code, details.reason

    def gets_in(self, key):
        try:
            return len(self.legal_moves(key).moves) == 20
        except grpc.RpcError:
            return False

    def test_only_who_has_a_key_gets_in(self):
        key = self.keys.add("site")
        self.start()
        self.assertEqual(len(self.legal_moves(key).moves), 20)
        unauthenticated = grpc.StatusCode.UNAUTHENTICATED
        self.assertEqual(self.fault(self.legal_moves), (unauthenticated, "MISSING_KEY"))
        for wrong in (key[:-1] + ("a" if key[-1] != "a" else "q"), "kbz_" + "a" * 8 + "_" + "a" * 52, "secret"):
            self.assertEqual(self.fault(lambda key=wrong: self.legal_moves(key)), (unauthenticated, "UNKNOWN_KEY"))

    def test_every_kind_of_call_is_asked_but_probes(self):
        self.keys.add("site")
        self.start()
        ask = [
            lambda: self.stub.GetServerInfo(analysis_pb2.GetServerInfoRequest(), timeout=PATIENCE),
            lambda: list(self.stub.Analyze(analysis_pb2.AnalyzeRequest(), timeout=PATIENCE)),
            lambda: list(self.stub.Perft(analysis_pb2.PerftRequest(depth=1), timeout=PATIENCE)),
            lambda: list(self.stub.AnalyzeSession(iter(()), timeout=PATIENCE)),
            lambda: list(reflection_pb2_grpc.ServerReflectionStub(self.channel).ServerReflectionInfo(
                iter([reflection_pb2.ServerReflectionRequest(list_services="")]), timeout=PATIENCE)),
            lambda: self.channel.unary_unary("/kibitz.v1.AdminService/Anything")(b"", timeout=PATIENCE),
            lambda: self.channel.unary_unary("/no.such/Method")(b"", timeout=PATIENCE),
        ]
        for call in ask:
            self.assertEqual(self.fault(call), (grpc.StatusCode.UNAUTHENTICATED, "MISSING_KEY"))
        health = health_pb2_grpc.HealthStub(self.channel).Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
        self.assertEqual(health.status, health_pb2.HealthCheckResponse.SERVING)

    def test_admin_methods_need_an_admin(self):
        key, admin = self.keys.add("site"), self.keys.add("operators", "--role", "admin")
        self.start()
        call = lambda key: self.channel.unary_unary("/kibitz.v1.AdminService/NoSuchMethod")(
            b"", timeout=PATIENCE, metadata=shown(key))
        self.assertEqual(self.fault(lambda: call(key)), (grpc.StatusCode.PERMISSION_DENIED, "ADMIN_ONLY"))
        self.assertEqual(self.fault(lambda: call(admin)), (grpc.StatusCode.UNIMPLEMENTED, "UNKNOWN_METHOD"))

    def test_keys_come_and_go_while_the_server_runs(self):
        first = self.keys.add("site")
        self.start()
        endless = analysis_pb2.AnalyzeRequest(limits=analysis_pb2.Limits(infinite=True))
        stream = self.stub.Analyze(endless, timeout=PATIENCE, metadata=shown(first))
        next(stream)
        second = self.keys.add("other")
        self.assertTrue(wait_until(lambda: self.gets_in(second)), self.read_log())
        self.keys.revoke(first)
        self.assertTrue(wait_until(lambda: not self.gets_in(first)), self.read_log())
        self.assertTrue(self.gets_in(second))
        self.assertTrue(next(stream).HasField("update"))
        stream.cancel()

    def test_a_broken_file_keeps_the_old_keys(self):
        key = self.keys.add("site")
        self.start()
        good = self.keys.path.read_text()
        self.keys.path.write_text(good + "\n[tenant.site2]\nmax-live = 0\n")
        self.assertTrue(wait_until(lambda: "the old ones stay" in self.read_log()), self.read_log())
        line = good.count("\n") + 3
        self.assertIn(f"keys.toml line {line}: tenant.site2.max-live: is not a whole number", self.read_log())
        self.assertTrue(self.gets_in(key))
        self.keys.path.unlink()
        self.assertTrue(wait_until(lambda: "keys.toml cannot be read" in self.read_log()), self.read_log())
        self.assertTrue(self.gets_in(key))

    def test_a_broken_file_is_an_error_at_start(self):
        self.keys.path.write_text("[tenant.site]\nmax-live = 0\nmax-life = 1\n")
        result = subprocess.run([KIBITZD, "--listen", "127.0.0.1:0", *self.keys.flags], capture_output=True, text=True,
                                timeout=PATIENCE, env=environment())
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("keys.toml line 2: tenant.site.max-live: is not a whole number from 1", result.stderr)
        self.assertIn("keys.toml line 3: tenant.site.max-life: is not known", result.stderr)

    def test_no_secret_stands_anywhere(self):
        key = self.keys.add("site")
        self.start()
        self.legal_moves(key)
        wrong = "kbz_" + "a" * 8 + "_" + "b" * 52
        with self.assertRaises(grpc.RpcError) as caught:
            self.legal_moves(wrong)
        info = self.stub.GetServerInfo(analysis_pb2.GetServerInfoRequest(), timeout=PATIENCE, metadata=shown(key))
        with open(f"/proc/{self.server.pid}/cmdline", encoding="ascii") as command:
            said = [self.read_log(), str(info), str(caught.exception), command.read()]
        for text in said:
            self.assertNotIn(key.split("_")[2], text)
            self.assertNotIn(wrong.split("_")[2], text)


if __name__ == "__main__":
    xml_unittest.main()
