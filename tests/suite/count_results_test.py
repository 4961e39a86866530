"""Tests of count_results: what `./kibitz test` prints stands or falls with it."""

import json
import os
import pathlib
import tempfile
import unittest

from tests.suite import count_results
from tests.suite import xml_unittest

GOOGLETEST_XML = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5" failures="1" disabled="1" errors="0" name="AllTests">
  <testsuite name="FenTest" tests="5" failures="1" disabled="1" skipped="1" errors="0">
    <testcase name="Parses" status="run" result="completed" classname="FenTest" />
    <testcase name="Prints" status="run" result="completed" classname="FenTest" />
    <testcase name="Rejects" status="run" result="completed" classname="FenTest">
      <failure message="Expected equality" type=""></failure>
      <failure message="Expected more" type=""></failure>
    </testcase>
    <testcase name="NeedsAPeer" status="run" result="skipped" classname="FenTest"><skipped message="" /></testcase>
    <testcase name="DISABLED_Old" status="notrun" result="suppressed" classname="FenTest" />
  </testsuite>
</testsuites>
"""

# What Bazel writes for a program that wrote nothing and died.
CRASH_XML = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="tests/crash_test" tests="1" failures="0" errors="1">
    <testcase name="tests/crash_test" status="run" duration="0" time="0">
      <error message="exited with error code 139"></error>
    </testcase>
    <system-out>Segmentation fault</system-out>
  </testsuite>
</testsuites>
"""

ONE_PASSED_XML = '<testsuite><testcase name="a" status="run" /></testsuite>'


class CountResultsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def result(self, label, status, xml=None, shard=1, attempt=1):
        """A test result event, with the XML in a file of its own unless there is none."""
        outputs = [{"name": "test.log", "uri": "file:///nowhere"}]
        if xml is not None:
            path = self.folder / f"{label.replace('/', '_')} {shard} {attempt}.xml"
            path.write_text(xml)
            outputs.append({"name": "test.xml", "uri": path.as_uri()})
        key = {"label": label, "run": 1, "shard": shard, "attempt": attempt}
        return {"id": {"testResult": key}, "testResult": {"status": status, "testActionOutput": outputs}}

    def configured(self, label):
        return {"id": {"targetConfigured": {"label": label}}, "configured": {"testSize": "SMALL"}}

    def completed(self, label, **payload):
        return {"id": {"targetCompleted": {"label": label}}, "completed": payload}

    def count(self, events, status=0):
        outcomes = count_results.count_run(events, status)
        return outcomes["passed"], outcomes["failed"], outcomes["skipped"]

    def test_counts_each_googletest_case(self):
        self.assertEqual(self.count([self.result("//a:fen_test", "FAILED", GOOGLETEST_XML)], 3), (2, 1, 2))

    def test_adds_up_targets_and_shards(self):
        events = [
            self.result("//a:one_test", "PASSED", ONE_PASSED_XML),
            self.result("//a:two_test", "PASSED", ONE_PASSED_XML, shard=1),
            self.result("//a:two_test", "PASSED", ONE_PASSED_XML, shard=2),
        ]
        self.assertEqual(self.count(events), (3, 0, 0))

    def test_counts_a_crash_as_one_failure(self):
        self.assertEqual(self.count([self.result("//a:crash_test", "FAILED", CRASH_XML)], 3), (0, 1, 0))

    def test_counts_a_timeout_without_xml_as_one_failure(self):
        self.assertEqual(self.count([self.result("//a:slow_test", "TIMEOUT")], 3), (0, 1, 0))

    def test_does_not_believe_xml_of_a_program_that_failed_afterwards(self):
        self.assertEqual(self.count([self.result("//a:exit_test", "FAILED", ONE_PASSED_XML)], 3), (1, 1, 0))

    def test_counts_broken_xml_of_a_failed_program_as_one_failure(self):
        self.assertEqual(self.count([self.result("//a:cut_test", "FAILED", GOOGLETEST_XML[:300])], 3), (0, 1, 0))

    def test_counts_a_passed_program_without_xml_as_one_case(self):
        self.assertEqual(self.count([self.result("//a:plain_test", "PASSED")]), (1, 0, 0))

    def test_counts_nothing_where_the_filter_left_no_case(self):
        self.assertEqual(self.count([self.result("//a:fen_test", "PASSED", "<testsuites tests='0' />")]), (0, 0, 0))

    def test_counts_only_the_last_attempt(self):
        events = [
            self.result("//a:flaky_test", "FAILED", CRASH_XML, attempt=1),
            self.result("//a:flaky_test", "PASSED", ONE_PASSED_XML, attempt=2),
        ]
        self.assertEqual(self.count(events), (1, 0, 0))

    def test_counts_a_test_that_does_not_build_as_one_failure(self):
        events = [
            self.configured("//a:broken_test"),
            self.configured("//a:good_test"),
            self.completed("//a:broken_test"),
            self.completed("//a:good_test", success=True),
            self.result("//a:good_test", "PASSED", ONE_PASSED_XML),
        ]
        self.assertEqual(self.count(events, 1), (1, 1, 0))

    def test_leaves_out_a_test_that_was_built_but_not_selected(self):
        events = [self.configured("//a:other_test"), self.completed("//a:other_test", success=True)]
        self.assertEqual(self.count(events), (0, 0, 0))

    def test_counts_a_failed_run_without_a_failed_test_as_one_failure(self):
        self.assertEqual(self.count([self.result("//a:one_test", "PASSED", ONE_PASSED_XML)], 1), (1, 1, 0))
        self.assertEqual(self.count([], 1), (0, 1, 0))

    def test_counts_a_program_by_its_xml(self):
        path = self.folder / "program.xml"
        path.write_text(GOOGLETEST_XML)
        self.assertEqual(count_results.count_program(path, 1), {"passed": 2, "failed": 1, "skipped": 2})
        path.write_text(ONE_PASSED_XML)
        self.assertEqual(count_results.count_program(path, 0), {"passed": 1})
        self.assertEqual(count_results.count_program(path, 1), {"passed": 1, "failed": 1})
        self.assertEqual(count_results.count_program(self.folder / "missing.xml", 0), {"failed": 1})

    def test_reads_events_up_to_where_the_file_breaks_off(self):
        path = self.folder / "events.json"
        event = self.configured("//a:one_test")
        path.write_text(json.dumps(event) + "\n" + json.dumps(event)[:20])
        self.assertEqual(count_results.read_events(path), [event])
        self.assertEqual(count_results.read_events(self.folder / "missing.json"), [])


if __name__ == "__main__":
    xml_unittest.main()
