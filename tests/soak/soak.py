"""`./kibitz soak`: hours of mixed load and faults on a real server, and whether it stays as it was."""

import argparse
import contextlib
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from tests.hostile import measure
from tests.hostile.target import ENDLESS
from tests.integration.authority import Authority
from tests.integration.keys import Keys
from tests.integration.service import PATIENCE, ROOT, Server
from tests.soak import picture
from tests.soak.series import Gauge, judge

_KINDS = ("analyses", "sessions", "counts", "bad-input", "garbage", "visitors", "over-quota")
_SMALL_QUOTA = ("--max-live", "2", "--max-queued", "2", "--nodes-per-minute", "2000000")
_RENEWAL_TIME = 20  # seconds between two certificates
_WARM_UP = 0.2  # of the run: tables, pools and gRPC's buffers fill
_KILL_TIME = 5  # seconds between clients that are killed
_MAX_FAULTS = 20  # that are listed

_MEMORY = Gauge("resident memory", "MB", 0.05, 16)
_THREADS = Gauge("threads", "", 0.10, 8)
_DESCRIPTORS = Gauge("descriptors", "", 0.10, 8)
_MEDIAN = Gauge("LegalMoves, median", "ms", 0.5, 5)
_P99 = Gauge("LegalMoves, p99", "ms", 0.5, 20)
CALLS = Gauge("things done by clients", "a second", 0.5, 50)
_GAUGES = (_MEMORY, _THREADS, _DESCRIPTORS, _MEDIAN, _P99, CALLS)


class _Reader:
    """The lines that a process prints, as they come."""

    def __init__(self, command, **changes):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
                                        env={**os.environ, **changes})
        self._lines = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        for line in self.process.stdout:
            with self._lock:
                self._lines.append(line.strip())

    def take(self):
        """What came since the last time."""
        with self._lock:
            lines, self._lines = self._lines, []
        return lines

    def stop(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._thread.join()


def _module(name, *arguments):
    return [sys.executable, "-B", "-m", name, *arguments]


class _Habit:
    """Something that is done every so many seconds, until `stop`."""

    def __init__(self, seconds, act):
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(seconds, act))
        self._thread.start()

    def _run(self, seconds, act):
        while not self._over.wait(seconds):
            act()

    def stop(self):
        self._over.set()
        self._thread.join()


def _kill_a_client(address, caller, soak):
    """Starts a client with searches, and kills it in the midst of them."""
    command = _module("tests.soak.victim", address, ENDLESS.SerializeToString().hex())
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, **caller}) as victim:
        if victim.stdout.readline():
            soak.killed += 1
        victim.kill()


@dataclasses.dataclass
class Soak:
    """A run: the samples of each gauge, one a second, and what clients saw that they may not see."""
    samples: dict
    faults: list
    killed: int = 0
    renewed: int = 0

    def warm_up(self):
        return int(len(self.samples[_MEMORY]) * _WARM_UP)

    def verdicts(self):
        return [judge(gauge, self.samples[gauge], self.warm_up()) for gauge in _GAUGES if gauge is not CALLS]


def _milliseconds(latencies, share):
    return 1000 * latencies[min(len(latencies) - 1, int(len(latencies) * share))]


def _sample(server, honest, actors, soak):
    """Adds a sample of each gauge."""
    lines = honest.take()
    latencies = sorted(float(line) for line in lines if line[0].isdigit())
    soak.faults += [f"LegalMoves: {line}" for line in lines if line.isupper()]
    done = len(latencies)
    for kind, actor in actors.items():
        for line in actor.take():
            if line.endswith(" done"):
                done += int(line.split()[0])
            else:
                soak.faults.append(f"{kind}: {line}")
    last = {gauge: soak.samples[gauge][-1] if soak.samples[gauge] else 0 for gauge in (_MEDIAN, _P99)}
    values = {
        _MEMORY: measure.memory_mb(server.pid),
        _THREADS: measure.threads(server.pid),
        _DESCRIPTORS: measure.descriptors(server.pid),
        _MEDIAN: _milliseconds(latencies, 0.5) if latencies else last[_MEDIAN],
        _P99: _milliseconds(latencies, 0.99) if latencies else last[_P99],
        CALLS: done,
    }
    for gauge, value in values.items():
        soak.samples[gauge].append(value)


def run(seconds, say):
    """Runs the load for so long. `say` is told how it goes, each minute."""
    soak = Soak({gauge: [] for gauge in _GAUGES}, [])
    with tempfile.TemporaryFile("w+") as log, contextlib.ExitStack() as running:
        authority = Authority(running.enter_context(tempfile.TemporaryDirectory()))
        keys = Keys()
        running.callback(keys.close)
        caller = {"CALLER_CA": authority.certificate, "CALLER_KEY": keys.add("site")}
        small_caller = {**caller, "CALLER_KEY": keys.add("small", *_SMALL_QUOTA)}
        server = Server("--hash-mb", "64", "--log-level", "error", *authority.flags, *keys.flags, errors=log)
        running.callback(server.stop)
        if not server.listening:
            log.seek(0)
            raise SystemExit(f"kibitzd did not start: {log.read()}")
        honest = _Reader(_module("tests.hostile.honest_client", server.address), **caller)
        running.callback(honest.stop)
        actors = {}
        for kind in _KINDS:
            as_whom = small_caller if kind == "over-quota" else caller
            actors[kind] = _Reader(_module("tests.soak.actors", kind, server.address), **as_whom)
            running.callback(actors[kind].stop)
        habits = [_Habit(_KILL_TIME, lambda: _kill_a_client(server.address, caller, soak)),
                  _Habit(_RENEWAL_TIME, authority.renew)]
        for habit in habits:
            running.callback(habit.stop)
        begun = time.monotonic()
        for second in range(1, seconds + 1):
            time.sleep(max(0, begun + second - time.monotonic()))
            if server.process.poll() is not None:
                soak.faults.append(f"kibitzd ended with {server.process.returncode}")
                break
            _sample(server, honest, actors, soak)
            if second % 60 == 0:
                say(f"minute {second // 60}: " + ", ".join(
                    f"{gauge.name} {soak.samples[gauge][-1]:.1f} {gauge.unit}".strip() for gauge in _GAUGES))
        soak.renewed = authority.renewed
    return soak


def draw(soak, title):
    return picture.draw(title, [
        ("resident memory of kibitzd, MB", {"": soak.samples[_MEMORY]}),
        ("its threads", {"": soak.samples[_THREADS]}),
        ("its descriptors", {"": soak.samples[_DESCRIPTORS]}),
        ("LegalMoves beside it, ms", {"median": soak.samples[_MEDIAN], "p99": soak.samples[_P99]}),
        ("things that clients did, a second", {"": soak.samples[CALLS]}),
    ])


def summarise(soak, title):
    """A page in Markdown."""
    rows = "\n".join(
        f"| {verdict.gauge.name} | {verdict.median:.1f} {verdict.gauge.unit} | {verdict.most:.1f} | "
        f"{verdict.growth:+.1f} | {'yes' if verdict.flat else '**no**'} |" for verdict in soak.verdicts())
    faults = "\n".join(f"- {fault}" for fault in soak.faults[:_MAX_FAULTS]) or "None."
    return f"""# {title}

Made by `./kibitz soak`; the load is in [tests/soak/actors.py](../tests/soak/actors.py): analyses that end, are cancelled
or meet their deadline, sessions, counts, bad input, bytes that are no messages, a tenant over its quotas, clients
that come and go and clients that are killed ({soak.killed} of them, with 30 searches each), over TLS with a certificate
that was renewed {soak.renewed} times; {sum(soak.samples[CALLS]):,} things done in all. Growth is the slope over the run
without its first fifth, by medians of a sixtieth of it.

![Memory, threads, descriptors and latency over the run](soak.svg)

| | median | most | growth | flat |
| --- | --- | --- | --- | --- |
{rows}

What clients saw that they may not see: {len(soak.faults)}

{faults}
"""


def _arguments():
    parser = argparse.ArgumentParser(
        prog="./kibitz soak", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Loads a server of its own with all that clients do and should not do, and samples its memory,\n"
        "threads, descriptors and latency each second. Writes soak.svg and soak.md.",
        epilog="exit codes: 0 all is flat, and no client saw anything unexpected; 1 otherwise; 2 usage\n\n"
        "examples:\n  ./kibitz soak --minutes 5\n  ./kibitz soak --minutes 30 --output docs")
    parser.add_argument("--minutes", type=float, default=30, help="how long (default: 30)")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), metavar="FOLDER",
                        help="where to write (default: here)")
    arguments = parser.parse_args()
    if not 0.1 <= arguments.minutes <= 100_000:
        parser.error("--minutes must be at least 0.1, and at most 100000")
    if not arguments.output.is_dir():
        parser.error(f"--output: there is no folder {arguments.output}")
    return arguments


def main():
    arguments = _arguments()
    say = lambda words: print(words, file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["TEST_TMPDIR"] = scratch  # for what our clients generate
        soak = run(round(60 * arguments.minutes), say)
    title = f"A soak of {arguments.minutes:g} minutes"
    (arguments.output / "soak.svg").write_text(draw(soak, title))
    (arguments.output / "soak.md").write_text(summarise(soak, title))
    for verdict in soak.verdicts():
        print(verdict)
    for fault in soak.faults[:_MAX_FAULTS]:
        print(f"unexpected: {fault}")
    well = not soak.faults and all(verdict.flat for verdict in soak.verdicts())
    print("all is flat, and clients saw what they should" if well else
          f"NOT WELL: {len(soak.faults)} unexpected, or something grows")
    raise SystemExit(not well)


if __name__ == "__main__":
    main()
