"""A server that takes jobs, for the tests that give it some: it can be killed, and started again with what it kept."""

import pathlib
import tempfile

import grpc

from tests.integration.service import (PATIENCE, Details, Server, admin_pb2, admin_pb2_grpc, analysis_pb2, jobs_pb2,
                                       jobs_pb2_grpc, wait_until)

# Two games, 36 plies, so short that they are searched in a moment.
GAMES = """[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[White "Cid"]
[Black "Dan"]
[Result "*"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 7. Rc1 c6 8. Bd3 dxc4 9. Bxc4 Nd5 10. Bxe7 Qxe7
11. O-O Nxc3 12. Rxc3 e5 13. dxe5 Nxe5 14. Nxe5 Qxe5 15. f4 *
"""

OVER = (jobs_pb2.JOB_STATE_DONE, jobs_pb2.JOB_STATE_FAILED, jobs_pb2.JOB_STATE_CANCELLED, jobs_pb2.JOB_STATE_EXPIRED)


def review(nodes=2000, **fields):
    """The same every time, on every server."""
    request = analysis_pb2.AnalyzeGameRequest(pgn=GAMES, budget={"nodes_per_move": nodes}, reproducible=True)
    return jobs_pb2.JobRequest(review=request, **fields)


def batch(count=30, nodes=2000, **fields):
    """The same. The last position cannot be searched."""
    request = analysis_pb2.AnalyzeBatchRequest(limits={"nodes": nodes}, reproducible=True)
    for number in range(count - 1):
        request.positions.add(moves=["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"][:number % 7])
    request.positions.add(fen="nonsense")
    return jobs_pb2.JobRequest(batch=request, **fields)


def without_times(message):
    """A copy without what depends on the clock."""
    copy = type(message)()
    copy.CopyFrom(message)
    finals = [item.final.result for item in getattr(copy, "items", ())]
    if isinstance(copy, analysis_pb2.AnalyzeBatchResponse.Item):
        finals.append(copy.final.result)
    for result in finals:
        result.ClearField("elapsed")
        result.ClearField("nps")
    return copy


class JobServer:
    """A kibitzd with a file of jobs, which outlives it. `flags` are those of each start."""

    def __init__(self, *flags):
        self._folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self._folder.name) / "jobs.db"
        self.flags = ["--jobs", str(self.file), *flags]
        self.server = None
        self.start()

    def start(self):
        self.server = Server(*self.flags)
        self.channel = grpc.insecure_channel(self.server.address, options=[("grpc.use_local_subchannel_pool", 1)])
        self.stub = jobs_pb2_grpc.JobServiceStub(self.channel)
        self.admin = admin_pb2_grpc.AdminServiceStub(self.channel)

    def running_parts(self):
        """Searches that are under way, of jobs if nobody else has any."""
        return self.admin.GetStatus(admin_pb2.GetStatusRequest(), timeout=PATIENCE).status.live

    def kill(self):
        self.server.stop()
        self.channel.close()

    def close(self):
        self.kill()
        self._folder.cleanup()

    def submit(self, job, client_id=""):
        return self.stub.SubmitJob(jobs_pb2.SubmitJobRequest(job=job, client_id=client_id), timeout=PATIENCE).job

    def get(self, job):
        return self.stub.GetJob(jobs_pb2.GetJobRequest(id=job.id), timeout=PATIENCE).job

    def watch(self, job, after=0, **fields):
        return self.stub.WatchJob(jobs_pb2.WatchJobRequest(id=job.id, after_sequence=after, **fields), timeout=PATIENCE)

    def answer(self, job):
        """The job when it is over, and its results in order."""
        results = []
        for event in self.watch(job):
            if event.WhichOneof("event") == "results":
                results.append(event.results)
                assert event.sequence == len(results) == event.results.origin.part + 1
            else:
                job = event.job
        assert job.state in OVER
        return job, results

    def until(self, job, condition):
        return wait_until(lambda: condition(self.get(job)))


def failure(call):
    """What a call says that fails."""
    try:
        call()
    except grpc.RpcError as error:
        return Details(error)
    raise AssertionError("the call has not failed")
