"""Signals and standard error: a dead reader does not end the server, a hangup and its parent's end do."""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
import unittest

import grpc

from tests.hostile.target import ENDLESS, HostileTest, new_channel
from tests.integration.service import KIBITZD, PATIENCE, Server, analysis_pb2, environment
from tests.suite import xml_unittest

_LEGAL_MOVES = "/kibitz.v1.AnalysisService/LegalMoves"
_END_TIME = 10  # seconds
_BAD_TEXT = b"\x0a\x04\x0a\x02\xff\xfe"
_LOG_LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3} (debug|info|warning|error|critical) .")


def _is_log_line(line, log_format):
    """Whether our log wrote it."""
    if log_format == "text":
        return _LOG_LINE.match(line) is not None
    try:
        return {"time", "level", "message"} <= json.loads(line).keys()
    except (AttributeError, ValueError):
        return False


def _call_badly(address, times=20):
    """Calls with text that is not UTF-8, with bytes that are no message, and a method that is not there."""
    with new_channel(address) as channel:
        for _ in range(times):
            for path, request in [(_LEGAL_MOVES, _BAD_TEXT), (_LEGAL_MOVES, b"\xff" * 20), ("/no.Service/AtAll", b"")]:
                with contextlib.suppress(grpc.RpcError):
                    channel.unary_unary(path)(request, timeout=PATIENCE)


class StandardErrorTest(HostileTest):

    def test_a_dead_reader_does_not_end_it(self):
        for level in ("debug", "info", "off"):
            with self.subTest(level=level):
                server = Server("--hash-mb", "1", "--log-level", level)
                self.addCleanup(server.stop)
                server.process.stderr.close()
                server.process.stdout.close()
                _call_badly(server.address)
                server.signal(signal.SIGTERM)
                code = server.process.wait(PATIENCE)
                self.say(f"log level {level}: exit code {code}")
                self.assertEqual(code, 0, "it died of a dead reader")

    def test_closed_from_the_start(self):
        script = 'exec "$0" --listen 127.0.0.1:0 --hash-mb 1 2>&-'
        process = subprocess.Popen(["/bin/sh", "-c", script, KIBITZD], stdout=subprocess.PIPE, text=True,
                                   env=environment())
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        _call_badly(process.stdout.readline().split()[-1])
        self.assertIsNone(process.poll())
        process.terminate()
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_off_means_off(self):
        target = self.start("--log-level", "off")
        _call_badly(target.address)
        target.signal(signal.SIGTERM)
        self.assertEqual(target.wait()[0], 0)
        self.assertEqual(target.log(), "")

    def test_every_line_is_one_of_ours(self):
        for log_format in ("text", "json"):
            with self.subTest(log_format):
                target = self.start("--log-level", "debug", "--log-format", log_format)
                _call_badly(target.address)
                target.signal(signal.SIGTERM)
                self.assertEqual(target.wait()[0], 0)
                strangers = [line for line in target.log().splitlines() if not _is_log_line(line, log_format)]
                self.say(f"{log_format}: {len(strangers)} lines that are not the log's: {strangers[:1]}")
                self.assertEqual(strangers, [])


class SignalTest(HostileTest):

    def test_a_hangup_lets_searches_send_their_final(self):
        target = self.start("--workers", "1")
        call = target.stub.Analyze(ENDLESS, timeout=PATIENCE)
        self.assertTrue(next(call).HasField("update"))
        target.signal(signal.SIGHUP)
        try:
            *_, last = call
        except grpc.RpcError as error:
            self.fail(f"no Final: {error.code()}, exit code {target.process.wait(PATIENCE)}")
        self.assertEqual(last.final.stop_reason, analysis_pb2.STOP_REASON_SHUTDOWN)
        self.assertEqual(target.wait()[0], 0)

    def test_a_hangup_ends_an_idle_server(self):
        target = self.start()
        target.signal(signal.SIGHUP)
        self.assertEqual(target.wait()[0], 0)

    def test_others_than_those_that_end_it_are_survived(self):
        target = self.start()
        target.signal(signal.SIGPIPE)
        self.assert_serves(target)


class EndWithParentTest(unittest.TestCase):

    def test_a_parent_that_ends_at_once(self):
        script = '"$0" --listen 127.0.0.1:0 --hash-mb 1 --end-with-parent &'
        # The parent's session is the server's: it can be found when it should be gone.
        parents = [subprocess.Popen(["/bin/sh", "-c", script, KIBITZD], stdout=subprocess.PIPE, env=environment(),
                                    stderr=subprocess.DEVNULL, text=True, start_new_session=True) for _ in range(20)]
        deadline = time.monotonic() + _END_TIME
        outlived = sum(not self.ends(parent, deadline) for parent in parents)
        print(f"{outlived} of {len(parents)} servers outlived a parent that ended at once", flush=True)
        self.assertEqual(outlived, 0)

    def ends(self, parent, deadline):
        """Whether all that the parent started ends in time; it is ended otherwise."""
        try:
            # The output ends when the last who could write is gone.
            parent.communicate(timeout=max(deadline - time.monotonic(), 0.1))
            return True
        except subprocess.TimeoutExpired:
            os.killpg(parent.pid, signal.SIGKILL)
            parent.communicate(timeout=PATIENCE)
            return False


if __name__ == "__main__":
    xml_unittest.main()
