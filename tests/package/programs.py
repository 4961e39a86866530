"""The installed programs, run in a root of their own, with waits that are bounded."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess

PATIENCE = 120  # seconds; reached only when something is broken


class Root:
    """A file system with Kibitz in it. `enter` are the words before a command that is to run there."""

    def __init__(self, *enter):
        self.enter = enter

    def run(self, *command, check=True, **environment):
        return subprocess.run([*self.enter, *command], env=_environment(environment), capture_output=True, text=True,
                              timeout=PATIENCE, check=check)

    def output(self, *command, **environment):
        return self.run(*command, **environment).stdout

    @contextlib.contextmanager
    def server(self, *flags, enter=None, **environment):
        """A kibitzd on a free port, which must stop in good order at the end. Gives its address."""
        environment = {"KIBITZ_LISTEN": "127.0.0.1:0", "KIBITZ_METRICS": "off", **environment}
        with subprocess.Popen([*(enter or self.enter), "/usr/bin/kibitzd", *flags], env=_environment(environment),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                line = process.stdout.readline()
                if not line.startswith("listening on "):
                    process.kill()
                    raise RuntimeError(f"kibitzd said {line!r}, {process.communicate(timeout=PATIENCE)[1]!r}")
                yield line.split()[-1]
                os.kill(_innermost(process.pid), signal.SIGTERM)
                if process.wait(PATIENCE) != 0:
                    raise RuntimeError(f"kibitzd ended with {process.returncode}: {process.stderr.read()!r}")
            finally:
                process.kill()

    def answers(self, address):
        """What a client in the same root gets: the number of legal moves of the start, and health."""
        moves = json.loads(self.output("/usr/bin/kibitz", "moves", "--json", "--server", address))
        return len(moves["moves"]), self.output("/usr/bin/kibitz", "health", "--server", address)


def _innermost(pid):
    """The process at the end of a chain of those that wait for another: the program that they wrap."""
    while children := pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        pid = int(children[0])
    return pid


def _environment(changes):
    return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **changes}
