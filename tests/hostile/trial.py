"""One attack on a server with an honest client beside it, and what it did to both."""

import contextlib
import dataclasses
import threading

from tests.hostile import measure
from tests.hostile.attacks import Attacker
from tests.integration.service import wait_until

_SAMPLE_TIME = 0.02  # seconds
# Seconds in which all must be back where it was. Threads that have nothing to do end after ten.
_RECOVERY = 60
# Searches leave up to 64 MiB for the next move of their game, gRPC and the allocator keep some. gRPC's own threads come
# and go, and a front keeps connections for the next call.
_REMAINS = (150, 4, 8)


@dataclasses.dataclass
class State:
    """What a process holds."""
    memory_mb: float
    threads: int
    descriptors: int

    @classmethod
    def of(cls, pid):
        return cls(measure.memory_mb(pid), measure.threads(pid), measure.descriptors(pid))

    def minus(self, other):
        return State(self.memory_mb - other.memory_mb, self.threads - other.threads,
                     self.descriptors - other.descriptors)


@dataclasses.dataclass
class Figures:
    """peak, remains: more than before, during the attack and after it. is_back: whether what remains is no more than may
    remain. Times are in seconds."""
    attack: str
    unit: str
    rate: float
    connections: int
    cut_off_after: float | None
    peak: State
    remains: State
    is_back: bool
    latencies: list
    failures: list

    def percentile(self, share):
        return self.latencies[min(len(self.latencies) - 1, int(len(self.latencies) * share))]

    def __str__(self):
        cut_off = "never cut off" if self.cut_off_after is None else f"cut off after {self.cut_off_after:.1f} s"
        return (f"{self.rate:.0f} {self.unit}/s, {cut_off}, {self.connections} connections; "
                f"+{self.peak.memory_mb:.0f} MB, {self.remains.memory_mb:.0f} remain; "
                f"+{self.peak.threads} threads, {self.remains.threads} remain; "
                f"+{self.peak.descriptors} descriptors, {self.remains.descriptors} remain; "
                f"honest client: {len(self.latencies)} calls, median {1000 * self.percentile(0.5):.1f} ms, "
                f"p99 {1000 * self.percentile(0.99):.0f} ms, worst {1000 * self.percentile(1):.0f} ms, "
                f"{len(self.failures)} failed")


class _Watch:
    """Looks again and again how many threads and descriptors a process has, until it is left."""

    def __init__(self, pid):
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.most = State.of(pid)

    def __enter__(self):
        measure.forget_peak(self._pid)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _run(self):
        with contextlib.suppress(OSError):  # the process has ended
            while not self._over.wait(_SAMPLE_TIME):
                now = State.of(self._pid)
                self.most = State(measure.peak_mb(self._pid), max(self.most.threads, now.threads),
                                  max(self.most.descriptors, now.descriptors))


def try_attack(target, attack, seconds, address=None, source=None, **caller):
    """Attacks a server, at its own address or at that of a front before it. Figures, or None if the server has ended.
    caller: how the honest client gets in, by the variables of tests/integration/caller.py."""
    address = address or target.address
    honest = measure.HonestClient(address, **caller)
    try:
        before = State.of(target.pid)
        with _Watch(target.pid) as watch:
            attacker = Attacker(address, seconds, source)
            took = attacker.make(attack)
    finally:
        latencies, failures = honest.leave()
    if target.process.poll() is not None:
        return None

    def is_back():
        remains = dataclasses.astuple(State.of(target.pid).minus(before))
        return all(value <= bound for value, bound in zip(remains, _REMAINS))

    back = wait_until(is_back, _RECOVERY)
    return Figures(attack.name, attack.unit, attacker.count / took, attacker.connections, attacker.cut_off_after,
                   watch.most.minus(before), State.of(target.pid).minus(before), back, latencies, failures)
