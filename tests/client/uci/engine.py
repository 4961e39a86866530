"""`kibitz uci` on a pipe, as a chess GUI has it. Every wait is bounded."""

import os
import select
import subprocess
import time
import unittest

from tests.client.cli import program


class Engine:
    """A running engine. What it says is read line by line."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [program.KIBITZ, "uci", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=program.environment())
        self._unread = b""

    def say(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()

    def _read(self, deadline):
        """The next line; None at the end of the output."""
        while b"\n" not in self._unread:
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError(f"the engine is silent after {self._unread!r}")
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                return None
            self._unread += more
        line, self._unread = self._unread.split(b"\n", 1)
        return line.decode()

    def until(self, last, patience=program.PATIENCE):
        """The lines up to the first that begins with `last`."""
        deadline = time.monotonic() + patience
        lines = []
        while not (lines and lines[-1].startswith(last)):
            line = self._read(deadline)
            if line is None:
                raise EOFError(f"no {last!r} in {lines}")
            lines.append(line)
        return lines

    def ask(self, command, last):
        self.say(command)
        return self.until(last)

    def best_move(self):
        return self.until("bestmove")[-1].split()[1]

    def said_so_far(self):
        """All that it says before it is ready."""
        return self.ask("isready", "readyok")[:-1]

    def finish(self):
        """Reads to the end of the output; returns the rest of it and the exit code."""
        deadline = time.monotonic() + program.PATIENCE
        lines = []
        while (line := self._read(deadline)) is not None:
            lines.append(line)
        return lines, self.process.wait(program.PATIENCE)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(program.PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


class EngineTest(unittest.TestCase):
    """Base class."""

    def start(self, *arguments):
        engine = Engine(*arguments)
        self.addCleanup(engine.close)
        return engine


def results(lines):
    """The fields of the info lines that tell a result. A search that takes long also tells which move it is at."""
    told = (line for line in lines if line.startswith("info ") and not line.startswith("info string"))
    return [fields(line) for line in told if " currmove " not in line]


def fields(info):
    """The names and values of an info line that is about a search, the score as a pair."""
    words = info.split()
    known, i = {}, 1
    while i < len(words):
        name = words[i]
        if name == "pv":
            known["pv"] = words[i + 1:]
            break
        if name in ("lowerbound", "upperbound"):
            known[name], i = True, i + 1
        elif name == "score":
            known["score"], i = (words[i + 1], int(words[i + 2])), i + 3
        elif name == "wdl":
            known["wdl"], i = tuple(map(int, words[i + 1:i + 4])), i + 4
        else:
            known[name], i = int(words[i + 1]), i + 2
    return known
