"""Where the output goes: terminals, pipes that close, disks that are full."""

import os
import signal
import subprocess

from tests.client.cli import program
from tests.suite import xml_unittest

ESCAPE = "\x1b"


class OutputTest(program.ProgramTest):
    def on_terminal(self, *arguments, **changes):
        terminal = self.terminal(*arguments, **changes)
        self.assertEqual(terminal.finish(), 0)
        return terminal.shown

    def test_is_coloured_on_a_terminal(self):
        self.assertIn(ESCAPE, self.on_terminal("moves"))

    def test_is_plain_with_no_color(self):
        self.assertNotIn(ESCAPE, self.on_terminal("moves", NO_COLOR="1"))

    def test_is_plain_on_a_dumb_terminal(self):
        self.assertNotIn(ESCAPE, self.on_terminal("moves", TERM="dumb"))

    def test_is_plain_in_a_pipe(self):
        self.assertNotIn(ESCAPE, self.output("moves", "--board"))
        self.assertNotIn(ESCAPE, self.kibitz("moves", "nonsense").stderr)

    def test_shows_progress_on_a_terminal_and_wipes_it(self):
        terminal = self.terminal("perft", "12")
        terminal.wait_for(" of 20 moves, ")
        terminal.type("\x03")
        self.assertEqual(terminal.finish(), 130)
        self.assertIn("\r\x1b[Kinterrupted", terminal.shown)

    def test_shows_no_progress_in_a_pipe(self):
        self.assertNotIn("moves", self.kibitz("perft", "12", "--timeout", "0.5").stderr)

    def test_ends_quietly_when_the_reader_has_seen_enough(self):
        for inherited in (signal.SIG_DFL, signal.SIG_IGN):
            with self.subTest(inherited):
                self.assertIn(self.close_after_one_line(inherited), (0, -signal.SIGPIPE))

    def close_after_one_line(self, inherited):
        """Runs a command with much to say, hears one line of it, and returns how it ended."""
        lines, feed = os.pipe()
        writer = subprocess.Popen(["yes", program.KIWIPETE], stdout=feed, stderr=subprocess.DEVNULL)
        os.close(feed)
        with subprocess.Popen(
                [program.KIBITZ, "moves", "-", "--json"], stdin=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=program.environment(), restore_signals=False,
                preexec_fn=lambda: signal.signal(signal.SIGPIPE, inherited)) as process:
            os.close(lines)
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            status = process.wait(program.PATIENCE)
        writer.wait(program.PATIENCE)
        return status

    def test_complains_about_a_full_disk(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([program.KIBITZ, "moves"], stdout=full, stderr=subprocess.PIPE, text=True,
                                    env=program.environment(), timeout=program.PATIENCE)
        self.assertEqual(result.returncode, 1)
        self.assertIn("standard output could not be written", result.stderr)


if __name__ == "__main__":
    xml_unittest.main()
