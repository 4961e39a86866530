"""A real HAProxy with the configuration that is shipped, before servers of ours."""

import contextlib
import os
import pathlib
import socket
import subprocess
import tempfile

from tests.integration.service import PATIENCE, ROOT, environment

CONFIGURATION = ROOT / "deploy" / "haproxy" / "haproxy.cfg"
_HAPROXY = "/usr/sbin/haproxy"
_ONLY_ROOT = ("chroot ", "user ", "group ")


def configuration():
    """The shipped configuration as lines, as far as we can use it: only root can become somebody else."""
    lines = CONFIGURATION.read_text().splitlines()
    return lines if os.geteuid() == 0 else [line for line in lines if not line.strip().startswith(_ONLY_ROOT)]


def check(**variables):
    """What HAProxy says about the shipped file as it is: whether it is valid, and its words."""
    done = subprocess.run([_HAPROXY, "-c", "-f", str(CONFIGURATION)], env=environment(**variables), timeout=PATIENCE,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode == 0, done.stdout


class Front:
    """Listens on a free port of 127.0.0.1 and passes calls on to servers, given by their addresses."""

    def __init__(self, *servers, **variables):
        self._scratch = tempfile.TemporaryDirectory()
        file = pathlib.Path(self._scratch.name) / "haproxy.cfg"
        file.write_text("\n".join(configuration()) + "\n")
        for place, server in enumerate(servers):
            variables[f"KIBITZ_SERVER_{place + 1}"] = server
        self._log = tempfile.TemporaryFile("w+")
        with socket.create_server(("127.0.0.1", 0), backlog=1000) as listening:
            self.address = f"127.0.0.1:{listening.getsockname()[1]}"
            # HAProxy takes over the socket: no other can take the port, and clients may come at once.
            self.process = subprocess.Popen(
                [_HAPROXY, "-db", "-f", str(file)], pass_fds=[listening.fileno()], stdout=self._log, stderr=self._log,
                env=environment(KIBITZ_FRONT_LISTEN=f"fd@{listening.fileno()}",
                                KIBITZ_FRONT_NAME=f"kibitz-{self.address}", **variables))
        self.pid = self.process.pid

    def log(self):
        """What it has said so far."""
        self._log.seek(0)
        return self._log.read()

    def stop(self):
        self.process.kill()
        self.process.wait(PATIENCE)
        self._log.close()
        with contextlib.suppress(OSError):
            self._scratch.cleanup()
