"""`kibitz top`, against real servers: for scripts, and on a terminal."""

import fcntl
import signal
import struct
import subprocess
import termios

from tests.client.cli import program
from tests.suite import xml_unittest


class PrintedTopTest(program.Served, program.ProgramTest):

    def test_once_prints_how_the_server_does(self):
        text = self.output("top", "--once")
        self.assertRegex(text, rf"(?m)^{self.server.address}  Kibitz \S+, up for ")
        for name in ["workers", "live", "queued", "nodes/s", "table", "memory", "sockets", "refused"]:
            self.assertRegex(text, rf"(?m)^{name} ")
        self.assertIn("TENANT", text)

    def test_once_in_json(self):
        [status] = self.objects("top", "--once")
        self.assertGreaterEqual(status["workers"], 1)
        self.assertEqual((status["live"], status["queued"]), (0, 0))
        self.assertIn("tenants", status)

    def test_several_servers(self):
        other = program.Server()
        self.addCleanup(other.stop)
        both = f"{self.server.address},{other.address}"
        text = subprocess.run([program.KIBITZ, "top", "--once", "--server", both], capture_output=True, text=True,
                              timeout=program.PATIENCE, env=program.environment(), check=True).stdout
        self.assertIn("SERVER", text)
        for address in both.split(","):
            self.assertRegex(text, rf"(?m)^{address} ")

    def test_goes_on_until_it_is_interrupted(self):
        process = subprocess.Popen(
            [program.KIBITZ, "top", "--json", "--interval", "0.25", *self.where], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=program.environment())
        self.addCleanup(process.kill)
        for _ in range(3):
            self.assertIn('"workers":', process.stdout.readline())
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=program.PATIENCE)
        self.assertEqual((process.returncode, errors), (0, ""))

    def test_an_interval_out_of_range_is_a_usage_error(self):
        for interval in ["0", "0.1", "4000", "often"]:
            with self.subTest(interval):
                self.assert_fails(self.kibitz("top", "--interval", interval), 2, "--interval")


class NoServerTest(program.ProgramTest):

    def test_says_what_to_do(self):
        self.assert_fails(self.kibitz("top", "--once", "--server", "127.0.0.1:1"), 1, "no server at 127.0.0.1:1")


class TerminalTopTest(program.Served, program.ProgramTest):

    def resize(self, terminal, rows, columns):
        fcntl.ioctl(terminal.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def test_shows_the_server_and_obeys_keys(self):
        terminal = self.terminal("top", "--interval", "0.25", *self.where, LANG="C.UTF-8")
        self.resize(terminal, 40, 100)
        terminal.wait_for("TENANT")
        terminal.wait_for("sort (by nodes/s)")
        # What does not change is not drawn again.
        terminal.type("s")
        terminal.wait_for("liv")
        terminal.type("p")
        terminal.wait_for("go on")
        terminal.type("p")
        terminal.wait_for("pause")
        terminal.type("q")
        self.assertEqual(terminal.finish(), 0)

    def test_fits_into_a_small_terminal(self):
        terminal = self.terminal("top", *self.where, LANG="C.UTF-8")
        self.resize(terminal, 5, 20)
        terminal.wait_for("quit")
        self.resize(terminal, 1, 1)
        self.resize(terminal, 50, 132)
        terminal.wait_for("TENANT")
        terminal.type("q")
        self.assertEqual(terminal.finish(), 0)

    def test_ctrl_c_ends_it(self):
        terminal = self.terminal("top", *self.where)
        terminal.wait_for("quit")
        terminal.type("\x03")
        self.assertEqual(terminal.finish(), 0)

    def test_a_server_that_is_gone_is_said(self):
        terminal = self.terminal("top", "--server", "127.0.0.1:1")
        terminal.wait_for("no server at 127.0.0.1:1")
        terminal.type("q")
        self.assertEqual(terminal.finish(), 0)

    def test_a_terminal_that_nobody_knows_gets_plain_text(self):
        terminal = self.terminal("top", "--once", *self.where, TERM="dumb")
        terminal.wait_for("TENANT")
        self.assertEqual(terminal.finish(), 0)


if __name__ == "__main__":
    xml_unittest.main()
