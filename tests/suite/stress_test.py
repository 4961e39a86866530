"""Tests of stress: what the hunt runs, what it takes for a failure, and its table."""

import json
import os
import pathlib
import tempfile
import unittest

from tests.suite import stress
from tests.suite import xml_unittest

FAILED_XML = """<testsuites><testsuite name="FenTest">
  <testcase name="Parses" classname="FenTest" />
  <testcase name="Prints" classname="FenTest"><failure message="no" /></testcase>
</testsuite></testsuites>"""


def result(label, status="PASSED", seconds=1, run=1, **more):
    fields = {"status": status, "testAttemptDurationMillis": str(int(seconds * 1000)), **more}
    return {"id": {"testResult": {"label": label, "run": run, "shard": 1, "attempt": 1}}, "testResult": fields}


def broken(label):
    return [
        {"id": {"targetConfigured": {"label": label}}, "configured": {"testSize": "SMALL"}},
        {"id": {"targetCompleted": {"label": label}}, "completed": {}},
    ]


def runs(target, idle, loaded, seconds=1):
    """Runs of a target: a string of letters for each phase, . for passed and x for failed."""
    outcomes = {".": "PASSED", "x": "TIMEOUT"}
    return [
        stress.Run(phase, target, outcomes[letter], seconds, [])
        for phase, letters in (("idle", idle), ("loaded", loaded))
        for letter in letters
    ]


class StressTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def xml(self, text=FAILED_XML):
        path = self.folder / "test.xml"
        path.write_text(text)
        return path

    def test_plans_long_targets_less_often(self):
        events = [result("//a:b_test", seconds=61), result("//a:a_test", seconds=60)]
        self.assertEqual(stress.plan(events, 20), {"//a:a_test": (20, 60), "//a:b_test": (5, 61)})
        self.assertEqual(stress.runs_of(100, 1), 1)

    def test_plans_by_the_longest_shard(self):
        events = [result("//a:a_test", seconds=3), result("//a:a_test", seconds=70), result("//a:a_test", seconds=5)]
        self.assertEqual(stress.plan(events, 20), {"//a:a_test": (5, 70)})

    def test_every_failed_run_counts_with_its_cases(self):
        output = [{"name": "test.xml", "uri": self.xml().as_uri()}]
        events = [
            result("//a:a_test", run=1),
            result("//a:a_test", "FAILED", run=2, testActionOutput=output),
            result("//a:a_test", "TIMEOUT", run=3),
        ]
        found = stress.bazel_runs("idle", events, 3)
        self.assertEqual([run.outcome for run in found], ["PASSED", "FAILED", "TIMEOUT"])
        self.assertEqual([run.cases for run in found], [[], ["FenTest.Prints"], []])

    def test_a_result_of_the_cache_is_no_run(self):
        events = [
            result("//a:a_test", cachedLocally=True),
            result("//a:b_test", executionInfo={"cachedRemotely": True}),
            result("//a:c_test"),
        ]
        self.assertEqual([run.target for run in stress.bazel_runs("idle", events, 0)], ["//a:c_test"])

    def test_what_does_not_build_is_a_failed_run(self):
        found = stress.bazel_runs("idle", broken("//a:a_test"), 1)
        self.assertEqual([(run.target, run.outcome) for run in found], [("//a:a_test", "NOT_BUILT")])

    def test_a_failed_bazel_without_a_failed_run_is_one(self):
        found = stress.bazel_runs("idle", [result("//a:a_test")], 2)
        self.assertEqual([stress.passed(run) for run in found], [True, False])

    def test_a_program_fails_by_its_exit_code_its_cases_or_a_missing_record(self):
        passing = self.xml("<testsuite><testcase name='a'/></testsuite>")
        self.assertTrue(stress.passed(stress.program_run("idle", "web", passing, 0, 1)))
        self.assertFalse(stress.passed(stress.program_run("idle", "web", passing, 1, 1)))
        self.assertFalse(stress.passed(stress.program_run("idle", "web", self.folder / "none.xml", 0, 1)))
        failing = stress.program_run("idle", "web", self.xml(), 0, 1)
        self.assertEqual((stress.passed(failing), failing.cases), (False, ["FenTest.Prints"]))

    def test_the_record_gives_back_what_was_written(self):
        path = self.folder / "record"
        written = [stress.Run("idle", "//a:a_test", "FAILED", 1.5, ["A.B"])]
        path.write_text(stress.record(written))
        self.assertEqual(stress.read_record(path), written)

    def test_the_table_shows_only_what_failed(self):
        lines = stress.table(runs("//a:good_test", "..", "..") + runs("//a:bad_test", "..", "x."), 2)
        self.assertEqual(lines[0], "2 targets, 8 runs; runs that failed:")
        self.assertEqual([line.split() for line in lines[1:]], [
            ["target", "idle", "loaded"],
            ["//a:bad_test", "0", "of", "2", "1", "of", "2", "timeout", "(1)"],
        ])

    def test_the_table_shows_what_was_run_less_often(self):
        lines = stress.table(runs("//a:long_test", ".", ".", seconds=80), 4)
        self.assertIn("run 1 time, not 4: it takes 80 s", lines[-1])

    def test_a_clean_hunt_is_one_line(self):
        self.assertEqual(stress.table(runs("//a:good_test", "...", ".."), 2), ["1 target, 5 runs; none failed"])

    def test_watches_a_file_that_grows(self):
        path = self.folder / "events.json"
        self.assertEqual(stress._new_lines(path, 0), ([], 0))
        path.write_text(json.dumps({"a": 1}) + '\n{"b"')
        lines, position = stress._new_lines(path, 0)
        self.assertEqual((lines, position), ([b'{"a": 1}'], 9))
        with open(path, "a", encoding="utf-8") as file:
            file.write(": 2}\n")
        self.assertEqual(stress._new_lines(path, position)[0], [b'{"b": 2}'])


if __name__ == "__main__":
    xml_unittest.main()
