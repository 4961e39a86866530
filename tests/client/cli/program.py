"""The built programs, kibitz and kibitzd, and ways to run them in which every wait is bounded."""

import fcntl
import json
import os
import pathlib
import pty
import select
import subprocess
import termios
import time
import unittest

PATIENCE = 60  # seconds; reached only when something is broken

_RUNFILES = pathlib.Path(os.environ["TEST_SRCDIR"]) / os.environ["TEST_WORKSPACE"]
KIBITZ = str(_RUNFILES / "client" / "cli" / "kibitz")
KIBITZD = str(_RUNFILES / "server" / "kibitzd")

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def environment(**changes):
    """Just what the programs need, so that nothing of the tester's own settings leaks in."""
    return {"PATH": "/usr/bin:/bin", "TERM": "xterm-256color", **changes}


class Server:
    """A kibitzd on a free port, ready to answer."""

    def __init__(self, *flags):
        self.process = subprocess.Popen(
            [KIBITZD, "--listen", "127.0.0.1:0", "--log-level", "off", *flags], stdout=subprocess.PIPE, text=True,
            env=environment())
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self.stop()
            raise RuntimeError(f"kibitzd said {line!r}")
        self.address = line.split()[-1]

    def stop(self):
        self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stdout.close()


class Terminal:
    """A program with a terminal of its own: it sees what a person types, and we see what a person sees."""

    def __init__(self, *arguments, **changes):
        self.fd, theirs = pty.openpty()
        self.shown = ""
        self.process = subprocess.Popen(
            [KIBITZ, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment(**changes),
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(theirs)

    def type(self, text):
        os.write(self.fd, text.encode())

    def _read(self, deadline):
        """Adds what the program writes next. False at its end."""
        if not select.select([self.fd], [], [], max(0, deadline - time.monotonic()))[0]:
            raise TimeoutError(f"the program is silent after {self.shown!r}")
        try:
            text = os.read(self.fd, 65536).decode()
        except OSError:  # how Linux tells that nobody is left on the other side
            return False
        self.shown += text
        return text != ""

    def wait_for(self, text):
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            if not self._read(deadline):
                raise EOFError(f"no {text!r} in {self.shown!r}")

    def finish(self):
        """Waits for the program's end; returns its exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline):
            pass
        return self.process.wait(PATIENCE)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        os.close(self.fd)


class ProgramTest(unittest.TestCase):
    """Base class. The commands compute by themselves unless the class is Served as well."""

    where = ()

    def kibitz(self, *arguments, stdin="", **changes):
        return subprocess.run([KIBITZ, *arguments, *self.where], input=stdin, capture_output=True, text=True,
                              timeout=PATIENCE, env=environment(**changes))

    def output(self, *arguments, **options):
        """What a command prints that must succeed without a word on standard error."""
        result = self.kibitz(*arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def objects(self, *arguments, **options):
        return parse_lines(self.output(*arguments, "--json", **options))

    def assert_fails(self, result, code, *words):
        self.assertEqual(result.returncode, code, result)
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)

    def terminal(self, *arguments, **changes):
        terminal = Terminal(*arguments, **changes)
        self.addCleanup(terminal.close)
        return terminal


class Served:
    """Mixed in before ProgramTest: the commands call a real server."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.where = ("--server", cls.server.address)


def parse_lines(text):
    """The objects of JSON Lines."""
    return [json.loads(line) for line in text.splitlines()]


def rows(text, heading):
    """The rows of a table below the line that begins with `heading`, as lists of words."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.split()[:1] == [heading])
    table = []
    for line in lines[start + 1:]:
        if not line.strip():
            break
        table.append(line.split())
    return table
