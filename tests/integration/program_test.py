"""kibitzd as a program: where it listens, how it is told what to do, how it ends."""

import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import grpc

from tests.integration.service import (KIBITZD, PATIENCE, Server, analysis_pb2, analysis_pb2_grpc, environment,
                                       health_pb2, health_pb2_grpc, wait_until)
from tests.suite import xml_unittest

_ENDLESS_ANALYSIS = analysis_pb2.AnalyzeRequest(limits=analysis_pb2.Limits(infinite=True))


class ProgramTest(unittest.TestCase):

    def start(self, *flags, **options):
        server = Server(*flags, **options)
        self.addCleanup(server.stop)
        return server

    def stub(self, server):
        channel = grpc.insecure_channel(server.address)
        self.addCleanup(channel.close)
        return analysis_pb2_grpc.AnalysisServiceStub(channel)

    def info(self, server):
        return self.stub(server).GetServerInfo(analysis_pb2.GetServerInfoRequest(), timeout=PATIENCE)

    def run_program(self, *arguments, **changes):
        return subprocess.run([KIBITZD, *arguments], capture_output=True, text=True, timeout=PATIENCE,
                              env=environment(**changes))


class ListeningTest(ProgramTest):

    def test_port_0_takes_a_free_port_and_says_which(self):
        server = self.start(listen="127.0.0.1:0")
        self.assertRegex(server.address, r"^127\.0\.0\.1:[1-9][0-9]*$")
        self.assertGreater(self.info(server).workers, 0)

    def test_ipv6(self):
        if not pathlib.Path("/proc/net/if_inet6").exists() or not pathlib.Path("/proc/net/if_inet6").read_text():
            self.skipTest("this machine has no IPv6")
        server = self.start(listen="[::1]:0")
        self.assertRegex(server.address, r"^\[::1\]:[1-9][0-9]*$")
        self.assertGreater(self.info(server).workers, 0)

    def test_a_host_name(self):
        server = self.start(listen="localhost:0")
        self.assertGreater(self.info(server).workers, 0)

    def test_a_port_in_use_is_a_clear_error(self):
        first = self.start()
        second = self.run_program("--listen", first.address)
        self.assertEqual((second.returncode, second.stdout), (1, ""))
        self.assertIn(f"cannot listen on {first.address}", second.stderr)
        self.assertIn("in use", second.stderr)
        self.assertEqual(second.stderr.count("\n"), 1, second.stderr)

    def test_an_address_of_another_machine(self):
        result = self.run_program("--listen", "192.0.2.1:50051")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("this machine has no such address", result.stderr)

    def test_text_that_is_no_address(self):
        for text in ["", "nonsense", "localhost", ":50051", "127.0.0.1:x", "127.0.0.1:99999", "::1:50051"]:
            with self.subTest(text=text):
                result = self.run_program("--listen", text)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn("HOST:PORT", result.stderr)


class FlagsTest(ProgramTest):

    def test_help_tells_about_flags_and_shows_examples(self):
        result = self.run_program("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for word in ["--listen", "KIBITZ_LISTEN", "--workers", "--config", "examples:", "127.0.0.1:50051"]:
            self.assertIn(word, result.stdout)

    def test_version(self):
        result = self.run_program("--version")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"^Kibitz [0-9.]+ \(.*, sliders by (pext|magic)\)\n$")

    def test_bad_flags_are_usage_errors(self):
        for arguments in [["--nonsense"], ["extra"], ["--workers", "many"], ["--workers", "-1"], ["--workers"],
                          ["--perft-hash-mb", "-5"], ["--log-level", "loud"], ["--config", "/nonexistent.toml"]]:
            with self.subTest(arguments=arguments):
                result = self.run_program(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertNotEqual(result.stderr, "")

    def test_endgame_tables_that_are_not_there(self):
        result = self.run_program("--listen", "127.0.0.1:0", "--syzygy-path", "/nonexistent/tables")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("/nonexistent/tables", result.stderr)

    def test_environment_and_file_and_their_order(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml", dir=os.environ.get("TEST_TMPDIR")) as config:
            config.write("workers = 2\nmax-queue = 22\nperft-hash-mb = 222\n")
            config.flush()
            server = self.start("--config", config.name, "--workers", "4", KIBITZ_WORKERS="3", KIBITZ_MAX_QUEUE="33")
            info = self.info(server)
        self.assertEqual(info.workers, 4)
        self.assertEqual(info.caps.max_queued_analyses, 33)
        self.assertEqual(info.caps.max_perft_hash_mb, 222)

    def test_an_unknown_setting_in_the_file_is_an_error(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml", dir=os.environ.get("TEST_TMPDIR")) as config:
            config.write("wrokers = 2\n")
            config.flush()
            result = self.run_program("--config", config.name)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("wrokers", result.stderr)


class CheckConfigTest(ProgramTest):

    def check(self, *arguments, **changes):
        return self.run_program("--check-config", *arguments, **changes)

    def test_a_good_configuration(self):
        result = self.check()
        self.assertEqual((result.returncode, result.stdout), (0, "the configuration is good\n"))

    def test_all_errors_at_once(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml", dir=os.environ.get("TEST_TMPDIR")) as config:
            config.write("workers = 2\nwrokers = 2\nhash-mb = 0\n")
            config.flush()
            result = self.check("--config", config.name, "--nonsense", "--log-level", "loud", "--syzygy-path", "/none/such",
                                "--metrics", "here", KIBITZ_MAX_QUEUE="-3")
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            lines = [line for line in result.stderr.splitlines() if not line.startswith("kibitzd: note: ")]
            for begin in ["--nonsense: ", f"{config.name}:2: wrokers: ", f"{config.name}:3: hash-mb: ", "--log-level: ",
                          "KIBITZ_MAX_QUEUE: ", "--metrics: ", "--syzygy-path: there is no folder /none/such"]:
                self.assertEqual(len([line for line in lines if line.startswith(f"kibitzd: {begin}")]), 1, (begin, lines))
            self.assertEqual(len(lines), 7, lines)

    def test_a_start_says_all_that_is_wrong_with_the_flags_too(self):
        result = self.run_program("--workers", "many", "--nonsense")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("--workers", result.stderr)
        self.assertIn("--nonsense", result.stderr)

    def test_files_that_are_not_there(self):
        result = self.check("--keys", "/none/such.toml", "--tls-cert", "/none/cert.pem", "--tls-key", "/none/key.pem")
        self.assertEqual(result.returncode, 2)
        for path in ["/none/such.toml", "/none/cert.pem"]:
            self.assertIn(path, result.stderr)
        self.assertIn("TLS needs both", self.check("--tls-key", "/none/key.pem").stderr)

    def test_plaintext_for_others(self):
        result = self.check("--listen", "0.0.0.0:50051")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--insecure", result.stderr)
        self.assertEqual(self.check("--listen", "0.0.0.0:50051", "--insecure").returncode, 0)

    def test_a_port_in_use_is_none_of_its_business(self):
        running = self.start()
        self.assertEqual(self.check("--listen", running.address).returncode, 0)

    def test_an_address_of_another_machine(self):
        result = self.check("--listen", "192.0.2.1:50051", "--metrics", "192.0.2.1:9464")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.count("this machine has no such address"), 2, result.stderr)

    def test_one_address_for_two(self):
        result = self.check("--listen", "127.0.0.1:6000", "--metrics", "6000")
        self.assertEqual(result.returncode, 2)
        self.assertIn("choose another port", result.stderr)

    def test_contradictions_are_notes(self):
        result = self.check("--memory-mb", "100", "--default-search-ms", "5000", "--max-search-s", "1")
        self.assertEqual(result.returncode, 0)
        for word in ["--perft-hash-mb (256)", "--private-tables-mb (512)", "--default-search-ms"]:
            self.assertIn(word, result.stderr)


class SignalTest(ProgramTest):

    def test_a_signal_ends_an_idle_server(self):
        for number in [signal.SIGTERM, signal.SIGINT]:
            with self.subTest(signal=number):
                server = self.start()
                server.signal(number)
                self.assertEqual(server.wait()[0], 0)

    def test_ends_with_its_parent_if_asked_to(self):
        # The shell starts the server and waits for it; killed, it cannot tell.
        parent = subprocess.Popen(["/bin/sh", "-c", '"$0" --listen 127.0.0.1:0 --end-with-parent & wait', KIBITZD],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment())
        self.assertIn("listening on", parent.stdout.readline())
        parent.kill()
        # The output ends when the last who could write is gone.
        self.assertEqual(parent.communicate(timeout=PATIENCE)[0], "")

    def test_searches_send_their_final(self):
        server = self.start("--workers", "1", "--max-live", "1")
        stub = self.stub(server)
        call = stub.Analyze(_ENDLESS_ANALYSIS, timeout=PATIENCE)
        self.assertTrue(next(call).HasField("update"))
        queued = stub.Analyze(_ENDLESS_ANALYSIS, timeout=PATIENCE)
        self.assertEqual(next(queued).queued.place, 1)
        server.signal()
        *_, last = call
        self.assertEqual(last.final.stop_reason, analysis_pb2.STOP_REASON_SHUTDOWN)
        self.assertNotEqual(last.final.best_move, "")
        with self.assertRaises(grpc.RpcError) as caught:
            list(queued)
        self.assertEqual(caught.exception.code(), grpc.StatusCode.UNAVAILABLE)
        self.assertEqual(server.wait()[0], 0)

    def test_counts_end_as_unavailable(self):
        server = self.start()
        call = self.stub(server).Perft(analysis_pb2.PerftRequest(depth=13), timeout=PATIENCE)
        self.assertTrue(wait_until(lambda: self.info(server).live_analyses == 1))
        server.signal()
        with self.assertRaises(grpc.RpcError) as caught:
            list(call)
        self.assertEqual(caught.exception.code(), grpc.StatusCode.UNAVAILABLE)
        self.assertEqual(server.wait()[0], 0)

    def test_watchers_of_health_hear_of_it(self):
        server = self.start()
        channel = grpc.insecure_channel(server.address)
        self.addCleanup(channel.close)
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
        self.assertEqual(next(watch).status, health_pb2.HealthCheckResponse.SERVING)
        server.signal()
        self.assertEqual(next(watch).status, health_pb2.HealthCheckResponse.NOT_SERVING)
        self.assertEqual(server.wait()[0], 0)

    def test_serves_on_while_balancers_look_elsewhere(self):
        server = self.start("--drain-delay-ms", "2500")
        channel = grpc.insecure_channel(server.address)
        self.addCleanup(channel.close)
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
        self.assertEqual(next(watch).status, health_pb2.HealthCheckResponse.SERVING)
        call = self.stub(server).Analyze(_ENDLESS_ANALYSIS, timeout=PATIENCE)
        self.assertTrue(next(call).HasField("update"))
        server.signal()
        told = time.monotonic()
        self.assertEqual(next(watch).status, health_pb2.HealthCheckResponse.NOT_SERVING)
        # Somebody who has not heard of it yet, on a connection of its own.
        with grpc.insecure_channel(server.address, options=[("grpc.use_local_subchannel_pool", 1)]) as late:
            request = analysis_pb2.AnalyzeRequest(limits={"depth": 3})
            *_, last = analysis_pb2_grpc.AnalysisServiceStub(late).Analyze(request, timeout=PATIENCE)
        self.assertEqual(last.final.stop_reason, analysis_pb2.STOP_REASON_DEPTH)
        *_, last = call
        self.assertEqual(last.final.stop_reason, analysis_pb2.STOP_REASON_SHUTDOWN)
        self.assertGreater(time.monotonic() - told, 2.4)
        self.assertEqual(server.wait()[0], 0)

    def test_a_second_signal_ends_the_delay(self):
        server = self.start("--drain-delay-ms", "3600000")
        server.signal()
        self.assertTrue(any("stopping" in line for line in server.process.stderr))
        server.signal()
        self.assertEqual(server.wait()[0], -signal.SIGTERM)

    def stuck_call(self, server):
        """A search whose client gives it no room to send anything, so that its stream cannot end."""
        options = [("grpc.http2.lookahead_bytes", 5), ("grpc.http2.bdp_probe", 0)]
        channel = grpc.insecure_channel(server.address, options=options)
        self.addCleanup(channel.close)
        call = analysis_pb2_grpc.AnalysisServiceStub(channel).Analyze(_ENDLESS_ANALYSIS, timeout=PATIENCE)
        self.addCleanup(call.cancel)
        self.assertTrue(wait_until(lambda: self.info(server).live_analyses == 1))

    def test_a_stuck_client_is_waited_for_only_so_long(self):
        server = self.start("--grace-ms", "100")
        self.stuck_call(server)
        server.signal()
        self.assertEqual(server.wait()[0], 0)

    def test_a_second_signal_ends_at_once(self):
        server = self.start("--grace-ms", "3600000")
        self.stuck_call(server)
        server.signal()
        self.assertTrue(any("stopping" in line for line in server.process.stderr))
        server.signal()
        self.assertEqual(server.wait()[0], -signal.SIGTERM)

    def test_stops_in_the_middle_of_a_rush(self):
        """Whatever calls are at, none of them brings the server down."""
        server = self.start("--workers", "1", "--grace-ms", "50")
        stub = self.stub(server)
        busy = threading.Event()
        codes = set()

        def client(number):
            calls = [
                lambda: stub.GetServerInfo(analysis_pb2.GetServerInfoRequest(), timeout=PATIENCE),
                lambda: list(stub.Perft(analysis_pb2.PerftRequest(depth=2), timeout=PATIENCE)),
                lambda: list(stub.Analyze(analysis_pb2.AnalyzeRequest(limits={"depth": 2}), timeout=PATIENCE)),
                lambda: next(stub.Analyze(_ENDLESS_ANALYSIS, timeout=PATIENCE)),  # and leaves
            ]
            try:
                while True:
                    calls[number % len(calls)]()
                    busy.set()
            except grpc.RpcError as error:
                codes.add(error.code())

        clients = [threading.Thread(target=client, args=(number,)) for number in range(16)]
        for thread in clients:
            thread.start()
        self.assertTrue(busy.wait(PATIENCE))
        server.signal()
        code, errors = server.wait()
        for thread in clients:
            thread.join(PATIENCE)
        self.assertEqual(code, 0, errors)
        self.assertLessEqual(codes, {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED})

    def test_the_port_is_free_again(self):
        first = self.start()
        first.signal()
        self.assertEqual(first.wait()[0], 0)
        second = self.start(listen=first.address)
        self.assertEqual(second.address, first.address)


if __name__ == "__main__":
    xml_unittest.main()
