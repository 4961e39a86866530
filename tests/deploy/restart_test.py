"""A server that dies comes back by the unit's own pause, soon enough for our clients: calls that only ask are repeated."""

import configparser
import subprocess
import threading
import unittest

import grpc

from tests.integration.service import (KIBITZ, PATIENCE, ROOT, Server, analysis_pb2_grpc, environment, position_pb2)
from tests.suite import xml_unittest

_UNIT = ROOT / "deploy" / "systemd" / "kibitzd.service"
_SERVED = 3  # calls that must be answered in the midst of a restart
_ATTEMPTS = 12  # a busy machine may be late with the restart, but not each time
_UNITS = {"ms": 0.001, "s": 1, "": 1}


def _service():
    """The [Service] section of the unit, by the last word on each name."""
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read_string(_UNIT.read_text())
    return unit["Service"]


def _seconds(text):
    number = text.rstrip("ms")
    return float(number) * _UNITS[text[len(number):]]


class Supervisor:
    """Starts the server again whenever it ends, as systemd does by the unit."""

    def __init__(self):
        service = _service()
        assert service["Restart"] == "always"
        self._pause = _seconds(service["RestartSec"])
        self._over = threading.Event()
        self.server = Server("--hash-mb", "64", "--log-level", "off", errors=subprocess.DEVNULL)
        self.address = self.server.address
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        while True:
            self.server.process.wait()
            self.server.stop()
            if self._over.wait(self._pause):
                return
            self.server = Server("--hash-mb", "64", "--log-level", "off", listen=self.address,
                                 errors=subprocess.DEVNULL)

    def kill(self):
        server = self.server
        server.process.kill()
        server.process.wait(PATIENCE)

    def stop(self):
        self._over.set()
        self.server.process.kill()
        self._thread.join(PATIENCE)
        self.server.stop()


class RestartTest(unittest.TestCase):

    def setUp(self):
        super().setUp()
        self.supervisor = Supervisor()
        self.addCleanup(self.supervisor.stop)

    def assert_served(self, ask):
        """Kills the server and asks at once, over and over, until enough were answered."""
        answered = 0
        for attempt in range(_ATTEMPTS):
            self.supervisor.kill()
            answered += ask()
            if answered == _SERVED:
                print(f"{answered} of {attempt + 1} calls in the midst of a restart were answered", flush=True)
                return
        self.fail(f"of {_ATTEMPTS} calls in the midst of a restart only {answered} were answered")

    def test_the_command_line_does_not_notice(self):
        def ask():
            result = subprocess.run([KIBITZ, "moves", "--server", self.supervisor.address], capture_output=True,
                                    text=True, timeout=PATIENCE, env=environment(), check=False)
            return result.returncode == 0 and "moves     20" in result.stdout

        self.assert_served(ask)

    def test_a_channel_that_waits_for_the_server_goes_on(self):
        with grpc.insecure_channel(self.supervisor.address, options=[("grpc.initial_reconnect_backoff_ms", 100)]) as one:
            stub = analysis_pb2_grpc.AnalysisServiceStub(one)

            def ask():
                try:
                    stub.LegalMoves(position_pb2.LegalMovesRequest(), timeout=PATIENCE, wait_for_ready=True)
                    return True
                except grpc.RpcError:  # the end of the old connection
                    return False

            self.assert_served(ask)


if __name__ == "__main__":
    xml_unittest.main()
