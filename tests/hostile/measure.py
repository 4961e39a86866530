"""What an attack costs a server (memory, threads, descriptors, processor time) and an honest client beside it."""

import os
import pathlib
import subprocess
import sys

from tests.integration.service import PATIENCE, ROOT, environment


def _status(pid, name):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    raise KeyError(name)


def memory_mb(pid):
    """The resident memory now."""
    return _status(pid, "VmRSS") / 1024


def forget_peak(pid):
    """Lets the peak begin anew."""
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


def peak_mb(pid):
    """The most resident memory since the start, or since the peak was forgotten."""
    return _status(pid, "VmHWM") / 1024


def threads(pid):
    return _status(pid, "Threads")


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def cpu_seconds(pid):
    """The processor time that the process has used, in the kernel and outside."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class HonestClient:
    """Calls LegalMoves every 20 ms, in a process of its own, from the constructor on until `leave`. caller: the
    variables of tests/integration/caller.py."""

    def __init__(self, address, **caller):
        self._process = subprocess.Popen([sys.executable, "-B", "-m", "tests.hostile.honest_client", address],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
                                         env=environment(**caller))
        self._process.stdout.readline()  # its first call is done

    def leave(self):
        """Ends it. Returns its latencies in seconds, sorted, and what it saw fail."""
        lines = self._process.communicate("", timeout=PATIENCE)[0].splitlines()
        return sorted(float(line) for line in lines if line[0].isdigit()), [line for line in lines if line.isupper()]
