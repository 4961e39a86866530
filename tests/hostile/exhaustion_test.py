"""A server that gets no more threads or memory from the system says so, and goes on."""

import os
import shutil
import tempfile

import grpc

from tests.hostile import http2, measure
from tests.hostile.target import ENDLESS, HostileTest, Target
from tests.integration.service import KIBITZD, PATIENCE, Details, analysis_pb2, wait_until
from tests.suite import xml_unittest

_ADDRESS_SPACE = 1 << 30
_THREADS = 40
_ANALYSES = 300
_NOBODY = 1_000_000 + os.getpid()  # a user without processes, to whom limits apply


class ExhaustionTest(HostileTest):

    def limited(self, bytes_):
        return ("prlimit", f"--as={bytes_}")

    def fails_to_start(self, *flags, address_space):
        target = Target(*flags, prefix=self.limited(address_space))
        self.addCleanup(target.stop)
        self.assertFalse(target.listening)
        code = target.process.wait(timeout=PATIENCE)
        self.say(f"exit code {code}: {target.log().strip()}")
        self.assertEqual(code, 1, target.log())
        return target.log()

    def test_a_table_that_does_not_fit_is_said_at_the_start(self):
        words = self.fails_to_start("--hash-mb", "4096", address_space=_ADDRESS_SPACE)
        self.assertIn("--hash-mb", words)
        self.assertIn("kibitzd:", words)

    def program_for_all(self):
        """A copy of the program that any user can run."""
        folder = tempfile.TemporaryDirectory(dir="/tmp")
        self.addCleanup(folder.cleanup)
        os.chmod(folder.name, 0o755)
        return shutil.copy(KIBITZD, folder.name)

    def test_threads_that_cannot_be_had_refuse_work_and_no_more(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody whose threads are counted")
        target = self.start("--workers", "2", program=self.program_for_all(),
                            prefix=("setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", "prlimit",
                                    f"--nproc={_THREADS}:{_THREADS}"))
        body = http2.message(ENDLESS.SerializeToString())
        with http2.Connection(target.address) as connection:
            calls = [connection.open(http2.SERVICE + "Analyze", body, end=True) for _ in range(_ANALYSES)]

            def settled():
                """Every analysis is at work, waits, or was refused."""
                connection.wait(lambda: False, patience=0.01)
                info = target.info()
                ended = sum(connection.streams[call].ended for call in calls)
                return info.live_analyses + info.queued_analyses + ended >= len(calls)

            self.assertTrue(wait_until(settled))
            info = target.info()
            refused = sum(connection.streams[call].ended for call in calls)
            self.say(f"{info.live_analyses} at work, {info.queued_analyses} waiting, {refused} refused, "
                     f"{measure.threads(target.pid)} threads")
            self.assertLess(info.live_analyses, _ANALYSES, "the limit was not reached: nothing was tried")
            self.assertGreater(info.live_analyses, 0)
            for call in calls:
                if connection.streams[call].ended:
                    self.assertEqual(connection.streams[call].status, grpc.StatusCode.RESOURCE_EXHAUSTED.value[0])
        self.await_live(target, 0)
        self.assert_serves(target)
        self.assertIn("thread", target.log())

    def test_memory_that_cannot_be_had_refuses_work_and_no_more(self):
        target = self.start("--workers", "1", "--perft-hash-mb", "4096", "--memory-mb", "8192",
                            prefix=self.limited(_ADDRESS_SPACE))
        with self.assertRaises(grpc.RpcError) as caught:
            list(target.stub.Perft(analysis_pb2.PerftRequest(depth=9, hash_mb=4000), timeout=PATIENCE))
        details = Details(caught.exception)
        self.say(f"{details.code} {details.reason}")
        self.assertEqual(details.code, grpc.StatusCode.RESOURCE_EXHAUSTED)
        self.await_live(target, 0)
        self.assert_serves(target)


if __name__ == "__main__":
    xml_unittest.main()
