"""Processes that outlive the program that started them: started, known again, and ended."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import time

_PAUSE = 0.05  # seconds


def _started(pid):
    """When a process began, in the system's ticks: with its number it is known for certain. None: there is none."""
    try:
        # The name may hold anything; it ends with the last bracket.
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        fields = text.rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else int(fields[19])


def start(name, command, log, **environment):
    """Starts a program in a session of its own; what it says goes to a file. Returns what it is known by."""
    with open(log, "ab") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                   start_new_session=True, env={"PATH": "/usr/sbin:/usr/bin:/bin", **environment})
    return {"name": name, "pid": process.pid, "started": _started(process.pid), "log": str(log)}


def is_alive(record):
    return record["started"] is not None and _started(record["pid"]) == record["started"]


def send(record, number):
    """Sends a signal, to this very process only."""
    if is_alive(record):
        with contextlib.suppress(ProcessLookupError):
            os.kill(record["pid"], number)


def stop(records, patience):
    """Ends processes in good order, one after the other; by force those that take too long."""
    for record in records:
        send(record, signal.SIGTERM)
        # One that stands still does not hear it.
        send(record, signal.SIGCONT)
        if not await_end(record, patience):
            send(record, signal.SIGKILL)
            await_end(record, patience)


def await_end(record, patience):
    end = time.monotonic() + patience
    while is_alive(record):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(record["pid"], os.WNOHANG)
        if time.monotonic() > end:
            return False
        time.sleep(_PAUSE)
    return True


def listens(address):
    host, _, port = address.rpartition(":")
    with contextlib.suppress(OSError), socket.create_connection((host, int(port)), timeout=1):
        return True
    return False


def await_listening(record, address, patience):
    """Whether it listens there, before it ends or the time is over."""
    end = time.monotonic() + patience
    while not listens(address):
        if not is_alive(record) or time.monotonic() > end:
            return False
        time.sleep(_PAUSE)
    return True


def free_ports(count):
    """Ports of 127.0.0.1 that nobody has: whoever is to have them had better take them soon."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [each.getsockname()[1] for each in sockets]
