"""`./kibitz test farm`: a farm under way loses its parts one after the other, and nobody's jobs notice.

A farm of real processes on loopback is given jobs of reproducible searches. While they are done something dies, or
stands still. After each fault every job must be done, with the very results of a run that nobody disturbed, each part counted
once.

usage: ./kibitz test farm [--nodes N] [--nats 1|3] [--jobs N] [--positions N] [--faults N --seed S]
"""

import argparse
import pathlib
import random
import signal
import sys
import tempfile
import time

import grpc

from deploy.farm.farm import Farm, Plan
from tests.integration.service import KIBITZD, PATIENCE, analysis_pb2, jobs_pb2, jobs_pb2_grpc, position_pb2

_JOB_PATIENCE = 120  # seconds
_PAUSE = 0.02
_FENS = ("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
         "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
         "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
         "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
_OVER = (jobs_pb2.JOB_STATE_DONE, jobs_pb2.JOB_STATE_FAILED, jobs_pb2.JOB_STATE_CANCELLED, jobs_pb2.JOB_STATE_EXPIRED)
# Small parts, so that each job is on all nodes at once.
_PART_MS = 50
# A node that was paused comes back after this: JetStream has given its part to another by then.
_PAUSE_OF_NODE = 4
# From a node's death to its part being taken by another: JetStream waits for 2.5 s, and its last word may be fresh.
MAX_RECOVERY = 4.0


class TrialError(Exception):
    """What a farm may never do, in words."""


def _request(job, positions, nodes):
    """A batch; each job has one of its own."""
    asked = [position_pb2.Position(fen=_FENS[(job + place) % len(_FENS)]) for place in range(positions)]
    return jobs_pb2.JobRequest(batch=analysis_pb2.AnalyzeBatchRequest(
        positions=asked, limits=analysis_pb2.Limits(nodes=nodes + 500 * job), reproducible=True))


def _bytes_of(item):
    """What must be the same whoever found it: all but how long it took."""
    item.final.result.ClearField("elapsed")
    item.final.result.ClearField("nps")
    return item.SerializeToString(deterministic=True)


class Trial:
    """A farm, the jobs that it is given, and what must come of them."""

    def __init__(self, folder, options):
        self._options = options
        self.farm = Farm(pathlib.Path(folder) / "farm")
        self.farm.up(Plan(kibitzd=KIBITZD, nodes=options.nodes, nats=options.nats, workers=1, hash_mb=16,
                          prometheus=False, flags=("--job-part-ms", _PART_MS, *options.flag)))
        self._channel = grpc.insecure_channel(self.farm.address("front"),
                                              options=[("grpc.max_reconnect_backoff_ms", 500)])
        self._stub = jobs_pb2_grpc.JobServiceStub(self._channel)
        self._rounds = 0
        self.expected = None

    def close(self):
        self._channel.close()
        self.farm.down()

    def call(self, method, request):
        """An answer from whichever node is there."""
        end = time.monotonic() + PATIENCE
        while True:
            # The front bounds how often one address may ask.
            time.sleep(_PAUSE)
            try:
                return getattr(self._stub, method)(request, timeout=10)
            except grpc.RpcError as error:
                if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED) or \
                        time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def submit(self):
        """Gives it all jobs; each is named, so that asking twice is harmless."""
        self._rounds += 1
        names = [f"round{self._rounds}.{number}" for number in range(self._options.jobs)]
        for number, name in enumerate(names):
            self.call("SubmitJob", jobs_pb2.SubmitJobRequest(
                client_id=name, job=_request(number, self._options.positions, self._options.search_nodes)))
        return names

    def job(self, name):
        return self.call("GetJob", jobs_pb2.GetJobRequest(id="client:" + name)).job

    def await_parts(self, names, share):
        """Waits until so large a share of all positions is done."""
        end = time.monotonic() + _JOB_PATIENCE
        wanted = share * self._options.positions * len(names)
        while sum(self.job(name).positions_done for name in names) < wanted:
            if time.monotonic() > end:
                raise TrialError("the farm does nothing")
            time.sleep(_PAUSE)

    def results(self, name):
        """All that a job has found, as bytes in order; a watch that is cut off goes on where it was."""
        found, last = [], 0
        end = time.monotonic() + _JOB_PATIENCE
        while True:
            try:
                for event in self._stub.WatchJob(
                        jobs_pb2.WatchJobRequest(id="client:" + name, after_sequence=last), timeout=_JOB_PATIENCE):
                    if event.HasField("results"):
                        if event.sequence != last + 1:
                            raise TrialError(f"{name}: result {event.sequence} comes after {last}")
                        last = event.sequence
                        found += event.results.items
                    elif event.job.state in _OVER:
                        return event.job, found
            except grpc.RpcError as error:
                if time.monotonic() > end or error.code() not in (grpc.StatusCode.UNAVAILABLE,
                                                                  grpc.StatusCode.CANCELLED,
                                                                  grpc.StatusCode.INTERNAL,
                                                                  grpc.StatusCode.UNKNOWN):
                    raise
                time.sleep(0.1)

    def check(self, names):
        """All jobs are done, as they must be. Returns them."""
        jobs, results = [], []
        for name in names:
            job, found = self.results(name)
            if job.state != jobs_pb2.JOB_STATE_DONE:
                raise TrialError(f"{name} ended as {jobs_pb2.JobState.Name(job.state)}: {job.reason}")
            counted = (job.parts_done, job.parts_set_aside, job.positions_done)
            if counted != (job.parts, 0, self._options.positions):
                raise TrialError(f"{name} has counted {counted} of {job.parts} parts: {job.faults}")
            if [item.index for item in found] != list(range(self._options.positions)):
                raise TrialError(f"{name} has other positions than were asked about")
            jobs.append(job)
            results.append([_bytes_of(item) for item in found])
        if self.expected is None:
            self.expected = results
        if results != self.expected:
            differing = next((name, place) for name, one, other in zip(names, results, self.expected)
                             for place in range(len(one)) if one[place] != other[place])
            raise TrialError(f"the results are not those of an undisturbed run: {differing}")
        return jobs

    # The faults.

    def _some(self, chance, kind):
        return chance.choice(self.farm.named(kind))

    def kill_worker(self, chance):
        node = self._some(chance, "node")
        self.farm.kill(node)
        killed = time.time()
        return killed, lambda: self.farm.restart(node)

    def kill_front(self, chance):
        del chance
        self.farm.kill("front")
        self.farm.restart("front")
        return None, None

    def kill_nats(self, chance):
        server = self._some(chance, "nats")
        self.farm.kill(server)
        if len(self.farm.named("nats")) == 1:
            self.farm.restart(server)
            return None, None
        return None, lambda: self.farm.restart(server)

    def pause_worker(self, chance):
        node = self._some(chance, "node")
        self.farm.kill(node, signal.SIGSTOP)
        time.sleep(_PAUSE_OF_NODE)
        self.farm.kill(node, signal.SIGCONT)
        return None, None

    def restart_all(self, chance):
        del chance
        names = self.farm.named("node") + self.farm.named("nats")
        for name in names:
            self.farm.kill(name)
        for name in reversed(names):
            self.farm.restart(name)
        return None, None

    FAULTS = (kill_worker, kill_front, kill_nats, pause_worker, restart_all)

    def suffer(self, fault, chance):
        """One fault while jobs are under way; what it took, and how soon a dead node's parts were elsewhere."""
        names = self.submit()
        self.await_parts(names, 0.1)
        started = time.monotonic()
        killed, mend = fault(self, chance)
        jobs = self.check(names)
        took = time.monotonic() - started
        if mend:
            mend()
        recovery = None
        if killed:
            lost = [each.time.ToMicroseconds() / 1e6 for job in jobs for each in job.faults
                    if each.reason == "NODE_LOST"]
            recovery = max((moment - killed for moment in lost), default=None)
            if recovery is not None and recovery > MAX_RECOVERY:
                raise TrialError(f"a dead node's part was elsewhere after {recovery:.1f} s only")
        return took, recovery


def parse(words):
    parser = argparse.ArgumentParser(prog="./kibitz test farm", description=__doc__.split("\n\n")[1])
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--nats", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--search-nodes", type=int, default=10_000, help="positions searched for each position")
    parser.add_argument("--flag", action="append", default=[], help="one more flag for each node")
    parser.add_argument("--faults", type=int, default=0, help="so many, at random, instead of each once")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(words)


def run(options, say):
    """Each fault once, or many at random."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(folder, options)
        try:
            started = time.monotonic()
            trial.check(trial.submit())
            say(f"undisturbed        done after {time.monotonic() - started:5.1f} s")
            chance = random.Random(options.seed)
            faults = [chance.choice(Trial.FAULTS) for _ in range(options.faults)] or Trial.FAULTS
            for fault in faults:
                took, recovery = trial.suffer(fault, chance)
                words = "" if recovery is None else f"; a dead node's parts elsewhere within {recovery:.1f} s"
                say(f"{fault.__name__.replace('_', ' '):18} done after {took:5.1f} s{words}")
        finally:
            trial.close()


def main():
    options = parse(sys.argv[1:])
    try:
        run(options, lambda words: print(words, flush=True))
    except TrialError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    print(f"every job was done, each part once, with the same results, seed {options.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
