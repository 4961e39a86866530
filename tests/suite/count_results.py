"""Counts the test cases of a Bazel run, or of another test program.

usage: count_results.py EVENTS STATUS
       count_results.py --xml FILE STATUS

EVENTS is the run's build event file (JSON), STATUS its exit code. Prints how many cases passed, failed and were
skipped. The events name the tests of this run and their XML files, so results of earlier runs that lie about are not
counted. FILE is the XML that a test program of another kind wrote.
"""

import collections
import json
import sys
import urllib.parse
import urllib.request
import xml.etree.ElementTree

GOOD = ("PASSED", "FLAKY")


def read_events(path):
    """The events of the file; none if it was not written, fewer if it breaks off."""
    events = []
    try:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                events.append(json.loads(line))
    except (OSError, ValueError):
        pass
    return events


def count_cases(xml_path):
    """The outcomes of the cases in one XML file, as GoogleTest or Bazel wrote it."""
    outcomes = collections.Counter()
    for case in xml.etree.ElementTree.parse(xml_path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            outcomes["failed"] += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            outcomes["skipped"] += 1
        else:
            outcomes["passed"] += 1
    return outcomes


def xml_paths(result):
    """Where the XML of a test program is, if it is anywhere."""
    return [
        urllib.request.url2pathname(urllib.parse.urlparse(output["uri"]).path)
        for output in result.get("testActionOutput", [])
        if output["name"] == "test.xml"
    ]


def broken_tests(events):
    """The labels of tests that were asked for and could not be built, or else failed."""
    tests, broken = set(), set()
    for event in events:
        kind, key = next(iter(event["id"].items()))
        if kind == "targetConfigured" and "testSize" in event.get("configured", {}):
            tests.add(key["label"])
        elif kind == "targetCompleted" and not event.get("completed", {}).get("success"):
            broken.add(key["label"])
    return tests & broken


def count_result(result):
    """The outcomes of one test program, which may have died before it could write them."""
    good = result.get("status") in GOOD
    outcomes = collections.Counter(passed=int(good))
    for path in xml_paths(result):
        try:
            outcomes = count_cases(path)
        except (OSError, xml.etree.ElementTree.ParseError):
            pass
    if not good and not outcomes["failed"]:
        outcomes["failed"] = 1
    return outcomes


def count_run(events, status):
    """The outcomes of a run: each case, and each test that could not be built or run as one failure."""
    last_attempts = {}
    for event in events:
        kind, key = next(iter(event["id"].items()))
        if kind == "testResult" and "testResult" in event:
            last_attempts[key["label"], key.get("run"), key.get("shard")] = event["testResult"]

    outcomes = collections.Counter()
    for result in last_attempts.values():
        outcomes += count_result(result)
    outcomes["failed"] += len(broken_tests(events) - {label for label, _, _ in last_attempts})
    # A library or program that does not compile fails the run although no test is to blame.
    if status != 0 and not outcomes["failed"]:
        outcomes["failed"] = 1
    return outcomes


def count_program(xml_path, status):
    """The outcomes of a test program by its XML: without it, or with a bad exit code, something failed."""
    try:
        outcomes = count_cases(xml_path)
    except (OSError, xml.etree.ElementTree.ParseError):
        outcomes = collections.Counter(failed=1)
    if status != 0 and not outcomes["failed"]:
        outcomes["failed"] = 1
    return outcomes


def main():
    if sys.argv[1] == "--xml":
        outcomes = count_program(sys.argv[2], int(sys.argv[3]))
    else:
        outcomes = count_run(read_events(sys.argv[1]), int(sys.argv[2]))
    print(outcomes["passed"], outcomes["failed"], outcomes["skipped"])


if __name__ == "__main__":
    main()
