"""Jobs on a server that is killed again and again: none is lost, no part is there twice, and the results are those of a
server that nobody has killed. KIBITZ_KILLS and KIBITZ_SEED say how often, and which moments, for a longer run.
"""

import os
import random
import signal
import time
import unittest

from tests.integration import jobs
from tests.integration.jobs import JobServer
from tests.integration.service import jobs_pb2, wait_until
from tests.suite import xml_unittest

_KILLS = int(os.environ.get("KIBITZ_KILLS", "6"))
_SEED = int(os.environ.get("KIBITZ_SEED", "1"))
_FLAGS = ("--workers", "2", "--job-part-ms", "60", "--hash-mb", "1")


def _results(server, job):
    """What a job has found, without what depends on the clock; its parts are each there once, in order."""
    job, results = server.answer(job)
    assert [result.origin.part for result in results] == list(range(job.parts))
    found = []
    for result in results:
        assert result.origin.reason == "", result.origin
        found += [jobs.without_times(item) for item in result.items] + list(result.events)
    return job, [message.SerializeToString(deterministic=True) for message in found]


class JobsKillTest(unittest.TestCase):

    def test_kills_lose_nothing(self):
        requests = [jobs.review(nodes=12_000), jobs.batch(count=40, nodes=12_000), jobs.review(nodes=8_000)]
        calm = JobServer(*_FLAGS)
        self.addCleanup(calm.close)
        expected = [_results(calm, calm.submit(request))[1] for request in requests]
        calm.kill()

        chance = random.Random(_SEED)
        server = JobServer(*_FLAGS)
        self.addCleanup(server.close)
        accepted, kills = {}, 0
        while kills < _KILLS:
            # More work whenever there is none left, so that each kill hits some.
            if all(server.get(job).state in jobs.OVER for job, _ in accepted.values()):
                for number, request in enumerate(requests):
                    accepted[f"{kills}:{number}"] = (server.submit(request, f"{kills}:{number}"), number)
            time.sleep(chance.uniform(0, 0.6))
            server.kill()
            server.start()
            kills += 1
        attempts = 0
        for name, (job, number) in accepted.items():
            again = server.stub.SubmitJob(jobs_pb2.SubmitJobRequest(job=requests[number], client_id=name))
            self.assertTrue(again.repeated_request)
            self.assertEqual(again.job.id, job.id)
            job, found = _results(server, job)
            self.assertEqual(job.state, jobs_pb2.JOB_STATE_DONE)
            self.assertEqual(found, expected[number])
            self.assertLessEqual({fault.reason for fault in job.faults}, {"NODE_LOST"})
            attempts += len(job.faults)
        print(f"seed {_SEED}: {kills} kills, {len(accepted)} jobs, {attempts} parts begun again")

    def test_what_crashes_its_server_twice_is_set_aside(self):
        server = JobServer("--workers", "1")
        self.addCleanup(server.close)
        job = server.submit(jobs_pb2.JobRequest(batch={"positions": [{}] * 2, "limits": {"movetime": {"seconds": 600}}}))
        for crashes in (1, 2):
            # The first time both parts are at it, the second time one alone.
            self.assertTrue(server.until(job, lambda now: now.state == jobs_pb2.JOB_STATE_RUNNING))
            self.assertTrue(wait_until(lambda: server.running_parts() == (2 if crashes == 1 else 1)))
            server.server.signal(signal.SIGSEGV)
            self.assertEqual(server.server.wait()[0], -signal.SIGSEGV)
            server.start()
            now = server.get(job)
            self.assertEqual([fault.reason for fault in now.faults], ["NODE_CRASHED"] * (crashes + 1))
            self.assertEqual(now.parts_set_aside, crashes - 1)
        result = next(event.results for event in server.watch(job) if event.WhichOneof("event") == "results")
        self.assertEqual((result.origin.part, result.origin.reason), (0, "NODE_CRASHED"))


if __name__ == "__main__":
    xml_unittest.main()
