"""Ctrl-C: a clean end with exit code 130, wherever it comes."""

import signal
import subprocess
import time

from tests.client.cli import program
from tests.suite import xml_unittest


class StopTest(program.ProgramTest):
    def interrupt(self, terminal):
        """Presses Ctrl-C; returns the exit code. What runs would take years, so that it ends at all is Ctrl-C's doing."""
        terminal.type("\x03")
        return terminal.finish()

    def test_ends_a_count(self):
        terminal = self.terminal("perft", "15", "--hash-mb", "0")
        terminal.wait_for(" of 20 moves")
        self.assertEqual(self.interrupt(terminal), 130)
        self.assertIn("interrupted", terminal.shown)
        self.assertNotIn("error", terminal.shown)

    def test_ends_a_count_with_a_hash_table(self):
        terminal = self.terminal("perft", "15", "--hash-mb", "64")
        terminal.wait_for(" of 20 moves")
        self.assertEqual(self.interrupt(terminal), 130)

    def test_ends_a_search(self):
        terminal = self.terminal("analyze", "--infinite")
        terminal.wait_for(" nodes ")
        self.assertEqual(self.interrupt(terminal), 130)

    def test_ends_the_wait_for_input(self):
        terminal = self.terminal("perft", "1", "-")
        terminal.type(program.START + "\n")
        terminal.wait_for("speed")
        self.assertEqual(self.interrupt(terminal), 130)

    def test_ends_a_file_at_the_line_it_came(self):
        with subprocess.Popen([program.KIBITZ, "perft", "15", "-", "--json"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=program.environment()) as process:
            self.addCleanup(process.kill)
            process.stdin.write(f"bad\n{program.START}\n{program.START}\n")
            process.stdin.flush()
            self.assertIn("line 1", process.stderr.readline())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(program.PATIENCE), 130)
            self.assertEqual(process.stdout.read(), "")


class ServedStopTest(program.Served, program.ProgramTest):
    def running(self):
        return self.objects("info")[0]["liveAnalyses"]

    def count(self):
        terminal = self.terminal("perft", "15", "--hash-mb", "0", *self.where)
        terminal.wait_for(" of 20 moves")
        return terminal

    def test_ends_the_count_on_the_server_too(self):
        terminal = self.count()
        self.assertEqual(self.running(), 1)
        terminal.type("\x03")
        self.assertEqual(terminal.finish(), 130)
        deadline = time.monotonic() + program.PATIENCE
        while self.running() > 0:
            self.assertLess(time.monotonic(), deadline, "the server still counts")

    def test_says_that_the_server_was_lost(self):
        server = program.Server()
        self.addCleanup(server.stop)
        terminal = self.terminal("perft", "15", "--hash-mb", "0", "--server", server.address)
        terminal.wait_for(" of 20 moves")
        server.process.kill()
        self.assertEqual(terminal.finish(), 1)
        self.assertIn(f"the connection to {server.address} was lost", terminal.shown)


if __name__ == "__main__":
    xml_unittest.main()
