"""Jobs, as a Python program written from the .proto files gives them to a server and hears of them."""

import pathlib
import tempfile
import unittest

import grpc

from tests.integration import jobs
from tests.integration.jobs import JobServer, failure
from tests.integration.service import PATIENCE, Server, analysis_pb2_grpc, jobs_pb2, jobs_pb2_grpc
from tests.suite import xml_unittest


class JobsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.jobs = JobServer("--workers", "2", "--job-part-ms", "20", "--max-jobs-per-tenant", "20")
        cls.addClassCleanup(cls.jobs.close)
        cls.analysis = analysis_pb2_grpc.AnalysisServiceStub(cls.jobs.channel)

    def submit(self, job, client_id=""):
        accepted = self.jobs.submit(job, client_id)
        self.addCleanup(self.forget, accepted)
        return accepted

    def forget(self, job):
        self.jobs.stub.CancelJob(jobs_pb2.CancelJobRequest(id=job.id), timeout=PATIENCE)
        self.jobs.stub.DeleteJob(jobs_pb2.DeleteJobRequest(id=job.id), timeout=PATIENCE)

    def test_reviews_as_analyze_game_does(self):
        request = jobs.review()
        job, results = self.jobs.answer(self.submit(request))
        self.assertEqual(job.state, jobs_pb2.JOB_STATE_DONE)
        self.assertEqual((job.kind, job.positions, job.positions_done), (jobs_pb2.Job.KIND_REVIEW, 38, 38))
        self.assertGreater(job.parts, 3)
        self.assertEqual(job.parts_done, job.parts)
        events = [event for result in results for event in result.events]
        self.assertEqual(events[0].WhichOneof("event"), "accepted")
        direct = [event for event in self.analysis.AnalyzeGame(request.review, timeout=PATIENCE)
                  if event.WhichOneof("event") not in ("queued", "progress")]

        def key(event):
            return (event.WhichOneof("event"), event.ply.game, event.ply.review.ply, event.summary.game)

        self.assertEqual(sorted(map(key, events)), sorted(map(key, direct)))
        for ours, theirs in zip(sorted(events, key=key), sorted(direct, key=key)):
            self.assertEqual(ours, theirs)
        self.assertEqual(sum(result.origin.nodes for result in results), job.nodes)
        for result in results:
            self.assertEqual((result.origin.attempt, result.origin.reason), (1, ""))
            self.assertNotEqual(result.origin.node, "")

    def test_searches_as_analyze_batch_does(self):
        request = jobs.batch()
        job, results = self.jobs.answer(self.submit(request))
        self.assertEqual(job.state, jobs_pb2.JOB_STATE_DONE)
        items = [item for result in results for item in result.items]
        self.assertEqual([item.index for item in items], list(range(30)))
        self.assertEqual((items[-1].refused.reason, items[-1].refused.field), ("INVALID_FEN", "positions[29].fen"))
        direct = {response.item.index: response.item
                  for response in self.analysis.AnalyzeBatch(request.batch, timeout=PATIENCE)
                  if response.WhichOneof("event") == "item"}
        for item in items:
            self.assertEqual(jobs.without_times(item), jobs.without_times(direct[item.index]))

    def test_a_watch_goes_on_where_it_was(self):
        job = self.submit(jobs.review())
        whole = list(self.jobs.watch(job))
        results = [event for event in whole if event.WhichOneof("event") == "results"]
        for after in (0, 1, len(results) - 1, len(results)):
            events = list(self.jobs.watch(job, after))
            self.assertEqual([event for event in events if event.WhichOneof("event") == "results"], results[after:])
            self.assertEqual(events[-1].job.state, jobs_pb2.JOB_STATE_DONE)
            self.assertEqual(events[-1].sequence, len(results))
        for after, name in ((-1, "after_sequence"), (len(results) + 1, "after_sequence")):
            details = failure(lambda after=after: list(self.jobs.watch(job, after)))
            self.assertEqual((details.code, details.field), (grpc.StatusCode.INVALID_ARGUMENT, name))

    def test_tells_how_a_job_stands_as_it_goes(self):
        job = self.submit(jobs.batch(count=60, nodes=20_000))
        stands = [event.job for event in self.jobs.watch(job, min_interval={"nanos": 1_000_000})
                  if event.WhichOneof("event") == "job"]
        self.assertEqual(stands[-1].state, jobs_pb2.JOB_STATE_DONE)
        for one, next_one in zip(stands, stands[1:]):
            self.assertGreater(next_one.revision, one.revision)
            self.assertGreaterEqual(next_one.positions_done, one.positions_done)
        self.assertGreater(stands[-1].ended_at.ToNanoseconds(), stands[-1].started_at.ToNanoseconds())
        self.assertEqual(stands[-1].forgotten_at.seconds - stands[-1].ended_at.seconds, 24 * 3600)

    def test_a_repetition_is_one_job(self):
        request = jobs.batch(count=3)
        first = self.submit(request, "mine:1")
        again = self.jobs.stub.SubmitJob(jobs_pb2.SubmitJobRequest(job=request, client_id="mine:1"), timeout=PATIENCE)
        self.assertTrue(again.repeated_request)
        self.assertEqual(again.job.id, first.id)
        found = self.jobs.stub.GetJob(jobs_pb2.GetJobRequest(id="client:mine:1"), timeout=PATIENCE)
        self.assertEqual(found.job.id, first.id)
        details = failure(lambda: self.jobs.submit(jobs.batch(count=4), "mine:1"))
        self.assertEqual((details.code, details.reason), (grpc.StatusCode.ALREADY_EXISTS, "JOB_ID_TAKEN"))

    def test_bad_requests_are_told_by_field(self):
        future = {"seconds": 10**10}
        cases = [
            (jobs_pb2.JobRequest(), {}, "job.work", "MISSING_FIELD"),
            (jobs_pb2.JobRequest(batch={}), {}, "job.batch.positions", "MISSING_FIELD"),
            (jobs_pb2.JobRequest(batch={"positions": [{}], "limits": {"depth": 1000}}), {}, "job.batch.limits.depth",
             "OUT_OF_RANGE"),
            (jobs_pb2.JobRequest(batch={"positions": [{}], "limits": {"infinite": True}}), {}, "job.batch.limits",
             "UNBOUNDED_BATCH"),
            (jobs_pb2.JobRequest(review={}), {}, "job.review.game", "MISSING_FIELD"),
            (jobs_pb2.JobRequest(review={"pgn": ""}), {}, "job.review.pgn", "NO_GAME"),
            (jobs_pb2.JobRequest(review={"pgn": "1. e4 *", "budget": {"depth": -1}}), {}, "job.review.budget.depth",
             "OUT_OF_RANGE"),
            (jobs_pb2.JobRequest(review={"position": {"moves": ["e2e5"]}}), {}, "job.review.position.moves[0]",
             "ILLEGAL_MOVE"),
            (jobs.batch(max_nodes=-1), {}, "job.max_nodes", "OUT_OF_RANGE"),
            (jobs.batch(priority=9), {}, "job.priority", "UNKNOWN_ENUM_VALUE"),
            (jobs.batch(deadline={"seconds": 1}), {}, "job.deadline", "OUT_OF_RANGE"),
            (jobs.batch(deadline={"seconds": 10**15}), {}, "job.deadline", "OUT_OF_RANGE"),
            (jobs.batch(deadline=future, keep={"seconds": -1}), {}, "job.keep", "OUT_OF_RANGE"),
            (jobs.batch(webhook_url="https://example.org/"), {}, "job.webhook_url", "HOST_NOT_ALLOWED"),
            (jobs.batch(), {"client_id": "a b"}, "client_id", "INVALID_ID"),
            (jobs.batch(), {"client_id": "x" * 129}, "client_id", "INVALID_ID"),
        ]
        for job, fields, field, reason in cases:
            with self.subTest(field=field):
                details = failure(lambda job=job, fields=fields: self.jobs.stub.SubmitJob(
                    jobs_pb2.SubmitJobRequest(job=job, **fields), timeout=PATIENCE))
                self.assertEqual(details.code, grpc.StatusCode.INVALID_ARGUMENT)
                self.assertEqual(details.field, field)
                self.assertEqual(details.reason, reason)
        details = failure(lambda: self.jobs.submit(jobs.batch(generation={"engine": "Kibitz 0"})))
        self.assertEqual((details.code, details.reason), (grpc.StatusCode.FAILED_PRECONDITION, "NO_SUCH_GENERATION"))
        for name, details in (("id", failure(lambda: self.jobs.get(jobs_pb2.Job()))),
                              ("states[1]", failure(lambda: self.jobs.stub.ListJobs(
                                  jobs_pb2.ListJobsRequest(states=[1, 0])))),
                              ("page_size", failure(lambda: self.jobs.stub.ListJobs(
                                  jobs_pb2.ListJobsRequest(page_size=501)))),
                              ("page_token", failure(lambda: self.jobs.stub.ListJobs(
                                  jobs_pb2.ListJobsRequest(page_token="x"))))):
            self.assertEqual((details.code, details.field), (grpc.StatusCode.INVALID_ARGUMENT, name))
        self.assertEqual(failure(lambda: self.jobs.get(jobs_pb2.Job(id="0" * 32))).reason, "NO_SUCH_JOB")

    def test_ends_lists_and_forgets_jobs(self):
        endless = jobs_pb2.JobRequest(batch={"positions": [{}] * 100, "limits": {"movetime": {"seconds": 60}}})
        job = self.submit(endless)
        self.assertTrue(self.jobs.until(job, lambda now: now.state == jobs_pb2.JOB_STATE_RUNNING))
        details = failure(lambda: self.jobs.stub.DeleteJob(jobs_pb2.DeleteJobRequest(id=job.id), timeout=PATIENCE))
        self.assertEqual((details.code, details.reason), (grpc.StatusCode.FAILED_PRECONDITION, "JOB_NOT_OVER"))
        watch = self.jobs.watch(job)
        self.assertEqual(next(watch).job.id, job.id)
        over = self.jobs.stub.CancelJob(jobs_pb2.CancelJobRequest(id=job.id), timeout=PATIENCE).job
        self.assertEqual((over.state, over.reason), (jobs_pb2.JOB_STATE_CANCELLED, "CANCELLED"))
        events = list(watch)
        self.assertEqual(events[-1].job.state, jobs_pb2.JOB_STATE_CANCELLED)
        results = [event.results for event in events if event.WhichOneof("event") == "results"]
        self.assertEqual([result.origin.reason for result in results], ["CANCELLED"] * 100)
        # Its workers are free for others.
        quick = self.submit(jobs.batch(count=2))
        self.assertEqual(self.jobs.answer(quick)[0].state, jobs_pb2.JOB_STATE_DONE)
        listed = self.jobs.stub.ListJobs(jobs_pb2.ListJobsRequest(), timeout=PATIENCE).jobs
        self.assertEqual([each.id for each in listed][:2], [quick.id, job.id])
        listed = self.jobs.stub.ListJobs(jobs_pb2.ListJobsRequest(states=[jobs_pb2.JOB_STATE_DONE], page_size=1))
        self.assertEqual([each.id for each in listed.jobs], [quick.id])

    def test_a_job_ends_at_its_deadline(self):
        endless = jobs_pb2.JobRequest(batch={"positions": [{}], "limits": {"movetime": {"seconds": 60}}})
        endless.deadline.GetCurrentTime()
        endless.deadline.seconds += 1
        job, results = self.jobs.answer(self.submit(endless))
        self.assertEqual((job.state, job.reason), (jobs_pb2.JOB_STATE_EXPIRED, "DEADLINE_PASSED"))
        self.assertEqual(results[0].origin.reason, "DEADLINE_PASSED")

    def test_no_more_than_a_caller_may_have(self):
        endless = jobs_pb2.JobRequest(batch={"positions": [{}], "limits": {"movetime": {"seconds": 60}}})
        for _ in range(20):
            self.submit(endless)
        details = failure(lambda: self.jobs.submit(endless))
        self.assertEqual((details.code, details.reason), (grpc.StatusCode.RESOURCE_EXHAUSTED, "JOB_QUOTA"))
        self.assertGreater(details.retry_seconds, 0)

    def test_max_nodes_are_for_the_whole_job(self):
        job, _ = self.jobs.answer(self.submit(jobs.batch(count=20, nodes=1_000_000, max_nodes=20_000)))
        self.assertEqual(job.state, jobs_pb2.JOB_STATE_DONE)
        self.assertLessEqual(job.nodes, 20_000)


class StoppingTest(unittest.TestCase):

    def test_gives_back_what_it_does_and_goes_on_later(self):
        server = JobServer("--workers", "1", "--job-part-ms", "1000")
        self.addCleanup(server.close)
        # Several parts at a time share the worker, and end together.
        request = jobs_pb2.JobRequest(batch={"positions": [{}] * 12, "limits": {"movetime": {"seconds": 1}}})
        job = server.submit(request)
        self.assertTrue(server.until(job, lambda now: now.parts_done >= 1))
        watch = server.watch(job)
        self.assertIn("results", (event.WhichOneof("event") for event in watch))
        server.server.signal()
        details = failure(lambda: list(watch))
        self.assertEqual((details.code, details.reason), (grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN"))
        self.assertEqual(server.server.wait()[0], 0)
        server.start()
        job, results = server.answer(job)
        self.assertEqual((job.state, len(results)), (jobs_pb2.JOB_STATE_DONE, 12))
        self.assertTrue(job.faults)
        self.assertEqual({fault.reason for fault in job.faults}, {"DRAINED"})

    def test_without_a_file_there_are_no_jobs(self):
        server = Server()
        self.addCleanup(server.stop)
        with grpc.insecure_channel(server.address) as channel:
            stub = jobs_pb2_grpc.JobServiceStub(channel)
            for call in (lambda: stub.SubmitJob(jobs_pb2.SubmitJobRequest(job=jobs.batch())),
                         lambda: stub.ListJobs(jobs_pb2.ListJobsRequest()),
                         lambda: list(stub.WatchJob(jobs_pb2.WatchJobRequest(id="x")))):
                details = failure(call)
                self.assertEqual((details.code, details.reason), (grpc.StatusCode.FAILED_PRECONDITION, "NO_JOBS"))
                self.assertIn("--jobs", details.message)

    def test_says_what_is_wrong_with_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder) / "broken.db"
            broken.write_bytes(b"no database at all" * 1000)
            cases = [(broken, "not a database"), (pathlib.Path(folder) / "none" / "jobs.db", "unable to open")]
            for path, words in cases:
                server = Server("--jobs", str(path))
                self.assertFalse(server.listening)
                code, errors = server.wait()
                self.assertEqual(code, 1)
                self.assertIn(words, errors)
                self.assertIn(str(path), errors)
            server = Server("--jobs", str(cases[1][0]), "--check-config")
            code, errors = server.wait()
            self.assertEqual(code, 2)
            self.assertIn("--jobs: there is no folder", errors)


if __name__ == "__main__":
    xml_unittest.main()
