"""unittest.main() for tests that Bazel runs: writes the XML that lets `./kibitz test` count every case.

Each case is counted as it ends; a subtest that fails makes its case fail.
"""

import os
import unittest
import xml.etree.ElementTree


class _Result(unittest.TextTestResult):
    """Remembers the outcome of each case, in the order of their starts."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.outcomes = {}

    def startTest(self, test):
        super().startTest(test)
        self.outcomes[test.id()] = None

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.outcomes[test.id()] = "failure"

    def addError(self, test, err):
        super().addError(test, err)
        self.outcomes[test.id()] = "error"

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.outcomes[test.id()] = "failure"

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.outcomes[test.id()] = "skipped"

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.outcomes[test.id()] = "failure"


def _write_xml(path, outcomes):
    suite = xml.etree.ElementTree.Element("testsuite", name="unittest", tests=str(len(outcomes)))
    for name, outcome in outcomes.items():
        case = xml.etree.ElementTree.SubElement(suite, "testcase", name=name)
        if outcome is not None:
            xml.etree.ElementTree.SubElement(case, outcome)
    xml.etree.ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def main():
    """Runs the cases of the main module, and exits with 1 unless all is well."""
    # Bazel's --test_filter arrives here, as a pattern for unittest's -k.
    pattern = os.environ.get("TESTBRIDGE_TEST_ONLY")
    program = unittest.main(
        argv=["test"] + (["-k", pattern] if pattern else []),
        testRunner=unittest.TextTestRunner(resultclass=_Result, verbosity=2),
        exit=False,
    )
    if "XML_OUTPUT_FILE" in os.environ:
        _write_xml(os.environ["XML_OUTPUT_FILE"], program.result.outcomes)
    raise SystemExit(not program.result.wasSuccessful())
