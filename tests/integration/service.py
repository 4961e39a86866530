"""A real kibitzd, and what a Python program needs to call it: stubs generated from the .proto files as anybody would."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import grpc

PATIENCE = 60  # seconds; reached only when something is broken

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

# The tree, or Bazel's copy of what a test may use of it. A command of the front door says where the programs are.
ROOT = pathlib.Path(__file__).absolute().parents[2]
KIBITZD = os.environ.get("KIBITZD", str(ROOT / "server" / "kibitzd"))
KIBITZ = os.environ.get("KIBITZ", str(ROOT / "client" / "cli" / "kibitz"))


def _generate_stubs():
    """Runs protoc and makes its output importable.

    Health and reflection get their own folders as roots, because their packages' name, grpc, is taken in Python.
    """
    folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
    roots = [
        ROOT / "proto",
        "/usr/share/gocode/src/github.com/gogo/googleapis",
        "/usr/share/grpc-proto/grpc/health/v1",
        "/usr/share/grpc-proto/grpc/reflection/v1alpha",
    ]
    files = [
        "kibitz/v1/admin.proto", "kibitz/v1/analysis.proto", "kibitz/v1/jobs.proto", "kibitz/v1/position.proto",
        "google/rpc/status.proto", "google/rpc/error_details.proto", "health.proto", "reflection.proto"
    ]
    subprocess.run(
        ["protoc", *(f"-I{root}" for root in roots), f"--python_out={folder}", f"--grpc_out={folder}",
         f"--plugin=protoc-gen-grpc={shutil.which('grpc_python_plugin')}", *files],
        check=True, timeout=PATIENCE)
    sys.path.insert(0, folder)


_generate_stubs()

# pylint: disable=wrong-import-position
from google.rpc import error_details_pb2, status_pb2
from kibitz.v1 import admin_pb2, admin_pb2_grpc, analysis_pb2, analysis_pb2_grpc, jobs_pb2, jobs_pb2_grpc
from kibitz.v1 import position_pb2
import health_pb2
import health_pb2_grpc
import reflection_pb2
import reflection_pb2_grpc


def environment(**changes):
    """Just what the program needs, so that nothing of the tester's own settings leaks in.

    Metrics are off: the default port is one for all, and many servers run beside each other.
    """
    return {"PATH": "/usr/bin:/bin", "KIBITZ_METRICS": "off", **changes}


class Server:
    """A kibitzd process. With `listening` it has said where.

    prefix: a command that becomes the server, such as prlimit. errors: where standard error goes; one that says much
    must not wait for a reader of ours. program: a copy of kibitzd.
    """

    def __init__(self, *flags, listen="127.0.0.1:0", prefix=(), errors=subprocess.PIPE, program=KIBITZD, **changes):
        self.process = subprocess.Popen(
            [*prefix, program, "--listen", listen, *flags], stdout=subprocess.PIPE, stderr=errors, text=True,
            env=environment(**changes))
        line = self.process.stdout.readline()
        self.listening = line.startswith("listening on ")
        self.address = line.split()[-1] if self.listening else None
        self.pid = self.process.pid

    def signal(self, number=signal.SIGTERM):
        self.process.send_signal(number)

    def wait(self):
        """Waits for its end; returns exit code and standard error."""
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        with contextlib.suppress(ValueError):  # already read
            self.process.communicate(timeout=PATIENCE)


class StatusDetails:
    """What a google.rpc.Status, given as bytes, says beyond its code. Empty strings for what is missing."""

    def __init__(self, content=b""):
        self.field = self.description = self.reason = self.domain = self.quota_subject = ""
        self.retry_seconds = None
        for detail in status_pb2.Status.FromString(content).details:
            info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
            retry, quota = error_details_pb2.RetryInfo(), error_details_pb2.QuotaFailure()
            if detail.Unpack(info):
                self.reason, self.domain = info.reason, info.domain
            elif detail.Unpack(bad):
                self.field, self.description = bad.field_violations[0].field, bad.field_violations[0].description
            elif detail.Unpack(retry):
                self.retry_seconds = retry.retry_delay.ToTimedelta().total_seconds()
            elif detail.Unpack(quota):
                self.quota_subject = quota.violations[0].subject


class Details(StatusDetails):
    """What an RpcError says."""

    def __init__(self, error):
        trailers = dict(error.trailing_metadata() or ())
        super().__init__(trailers.get("grpc-status-details-bin", b""))
        self.code = error.code()
        self.message = error.details()


def wait_until(condition, patience=PATIENCE):
    """Waits for something that is about to happen; true if it did."""
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


class ServiceTest(unittest.TestCase):
    """Base class: one server for all cases of a class, started with its `flags`, still healthy after each."""

    flags = ()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server(*cls.flags)
        cls.addClassCleanup(cls.server.stop)
        cls.channel = grpc.insecure_channel(cls.server.address)
        cls.addClassCleanup(cls.channel.close)
        cls.stub = analysis_pb2_grpc.AnalysisServiceStub(cls.channel)
        cls.health = health_pb2_grpc.HealthStub(cls.channel)

    def tearDown(self):
        self.assertIsNone(self.server.process.poll(), "the server has ended")
        # A connection of its own: a case may have lost the other.
        with grpc.insecure_channel(self.server.address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
            check = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE)
        self.assertEqual(check.status, health_pb2.HealthCheckResponse.SERVING)

    def legal_moves(self, fen="", moves=(), variant=0):
        position = position_pb2.Position(fen=fen, moves=moves, variant=variant)
        return self.stub.LegalMoves(position_pb2.LegalMovesRequest(position=position), timeout=PATIENCE)

    def perft(self, depth, fen="", **fields):
        """The divide entries and the total."""
        request = analysis_pb2.PerftRequest(position=position_pb2.Position(fen=fen), depth=depth, **fields)
        *divide, total = self.stub.Perft(request, timeout=PATIENCE)
        return {entry.divide.uci: entry.divide.nodes for entry in divide}, total.total.nodes

    def info(self):
        return self.stub.GetServerInfo(analysis_pb2.GetServerInfoRequest(), timeout=PATIENCE)

    def await_load(self, live, queued=0):
        def reached():
            info = self.info()
            return (info.live_analyses, info.queued_analyses) == (live, queued)

        self.assertTrue(wait_until(reached), f"not {live} live and {queued} queued: {self.info()}")

    def fault(self, call):
        """The details of the error that a call must end in."""
        with self.assertRaises(grpc.RpcError) as caught:
            call()
        return Details(caught.exception)

    def assert_invalid(self, call, field, reason, words=""):
        details = self.fault(call)
        self.assertEqual(details.code, grpc.StatusCode.INVALID_ARGUMENT, details.message)
        self.assertEqual((details.field, details.reason, details.domain), (field, reason, "kibitz"))
        self.assertIn(words, details.description)
        self.assertTrue(details.message.isprintable() and details.message.isascii(), details.message)
