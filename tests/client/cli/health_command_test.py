"""`kibitz health`: an exit code for probes."""

import signal
import socket

from tests.client.cli import program
from tests.suite import xml_unittest


class HealthCommandTest(program.ProgramTest):
    def setUp(self):
        self.server = program.Server()
        self.addCleanup(self.server.stop)

    def health(self, *arguments, server=None, **changes):
        return self.kibitz("health", *arguments, "--server", server or self.server.address, **changes)

    def test_a_server_that_serves_is_healthy(self):
        result = self.health()
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "serving\n", ""))
        self.assertEqual(self.health("--json").stdout, '{"serving":true}\n')

    def test_the_environment_names_the_server_too(self):
        self.assertEqual(self.output("health", KIBITZ_SERVER=self.server.address), "serving\n")

    def test_a_server_that_is_gone_is_not(self):
        self.server.stop()
        self.assert_fails(self.health(), 1, self.server.address)

    def test_a_server_that_is_stopped_in_its_tracks_is_not(self):
        self.server.process.send_signal(signal.SIGSTOP)
        self.assert_fails(self.health("--timeout", "0.2"), 1, self.server.address)

    def test_who_never_answers_is_given_up(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"127.0.0.1:{silent.getsockname()[1]}"
            self.assert_fails(self.health("--timeout", "0.2", server=address), 1, address)


if __name__ == "__main__":
    xml_unittest.main()
