"""`kibitz job` against a real server, which is killed in between."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from tests.client.cli import program
from tests.suite import xml_unittest

_GAME = """[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
"""


class JobCommandTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.start()
        self.addCleanup(lambda: self.server.stop())

    def start(self, address="127.0.0.1:0"):
        self.server = program.Server("--jobs", str(self.folder / "jobs.db"), "--workers", "1", "--job-part-ms", "100",
                                     "--metrics", "off", "--listen", address)

    def file(self, name, content):
        path = self.folder / name
        path.write_text(content)
        return str(path)

    def command(self, *arguments):
        return [program.KIBITZ, "job", *arguments, "--server", self.server.address]

    def run_job(self, *arguments, code=0):
        run = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=program.PATIENCE,
                             env=program.environment(), check=False)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def test_a_review_from_its_beginning_to_its_end(self):
        game, pgn = self.file("game.pgn", _GAME), self.folder / "out.pgn"
        job = json.loads(self.run_job("submit", game, "--nodes", "5000", "--name", "mine", "--json").stdout)
        self.assertEqual((job["clientId"], job["kind"], job["positions"]), ("mine", "KIND_REVIEW", 8))
        shown = self.run_job("watch", "client:mine", "--pgn", str(pgn)).stdout
        self.assertIn("Game 1: Ann - Bob, 1-0, 7 plies\n", shown)
        self.assertIn("Blunder.", pgn.read_text())
        status = self.run_job("status", job["id"]).stdout
        for words in (r"(?m)^state +done$", r"(?m)^positions +8 of 8$", r"(?m)^name +mine$"):
            self.assertRegex(status, words)
        listed = self.run_job("list", "--state", "done").stdout
        self.assertRegex(listed, rf"(?m)^{job['id']}  review  done +8 of 8 ")
        again = self.run_job("submit", game, "--nodes", "5000", "--name", "mine")
        self.assertIn("had this job before", again.stderr)
        self.run_job("delete", job["id"])
        self.assertIn("no job", self.run_job("status", job["id"], code=1).stderr)
        self.assertIn("there are no jobs", self.run_job("list").stderr)

    def test_positions_from_a_file(self):
        fens = self.file("fens.txt", f"{program.START}\n\n{program.KIWIPETE}\nnonsense\n")
        run = self.run_job("submit", fens, "--positions", "--depth", "4", "--watch")
        lines = run.stdout.splitlines()
        self.assertEqual(len(lines), 3)
        self.assertRegex(lines[0], r"^     1 +\S+  depth +4  \S+")
        self.assertRegex(lines[2], r"^     3  a FEN has 4 or 6 fields")

    def test_a_job_that_is_ended_is_no_success(self):
        fens = self.file("fens.txt", f"{program.START}\n")
        submitted = self.run_job("submit", fens, "--positions", "--movetime", "60000", "--json")
        job = json.loads(submitted.stdout)["id"]
        self.assertRegex(self.run_job("cancel", job).stdout, r"(?m)^state +cancelled$")
        self.assertIn("the job is cancelled", self.run_job("watch", job, code=1).stderr)

    def test_a_watch_goes_on_after_a_kill(self):
        fens = self.file("fens.txt", f"{program.START}\n" * 12)
        submitted = self.run_job("submit", fens, "--positions", "--movetime", "100", "--json")
        job = json.loads(submitted.stdout)["id"]
        watch = subprocess.Popen(self.command("watch", job, "--json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True, env=program.environment())
        self.addCleanup(watch.kill)
        events = [json.loads(watch.stdout.readline())]
        while "results" not in events[-1]:
            events.append(json.loads(watch.stdout.readline()))
        address = self.server.address
        self.server.stop()
        self.start(address)
        # Not by communicate, which does not know what was read ahead.
        events += [json.loads(line) for line in watch.stdout]
        errors = watch.stderr.read()
        self.assertEqual(watch.wait(program.PATIENCE), 0, errors)
        self.assertIn("going on when it is back", errors)
        results = [event for event in events if "results" in event]
        self.assertEqual([int(event["sequence"]) for event in results], list(range(1, 13)))
        self.assertEqual(events[-1]["job"]["state"], "JOB_STATE_DONE")

    def test_a_server_that_takes_no_jobs_says_so(self):
        run = subprocess.run([program.KIBITZ, "job", "list"], capture_output=True, text=True,
                             timeout=program.PATIENCE, env=program.environment(), check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("takes no jobs", run.stderr)


if __name__ == "__main__":
    xml_unittest.main()
