"""The test command's last line and exit code, on which continuous integration relies."""

import json

from tests.front_door import front_door
from tests.suite import xml_unittest

CASES = {
    "passed": "<testcase/>",
    "failed": "<testcase><failure/></testcase>",
    "skipped": "<testcase><skipped/></testcase>",
}


class TestCommandTest(front_door.FrontDoorTest):
    def run_cases(self, status, **counts):
        """Runs the test command over cases with these outcomes, where Bazel exits with the given status."""
        cases = "".join(CASES[outcome] * count for outcome, count in counts.items())
        self.write("test.xml", f"<testsuite>{cases}</testsuite>")
        result = {
            "status": "FAILED" if counts.get("failed") else "PASSED",
            "testActionOutput": [{"name": "test.xml", "uri": (self.world / "test.xml").as_uri()}],
        }
        event = {"id": {"testResult": {"label": "//a:a_test"}}, "testResult": result}
        self.write("events.json", json.dumps(event) if counts else "")
        self.write("test_status", str(status))
        return self.door("test", "--config=asan")

    def test_prints_only_the_tally_on_standard_output(self):
        result = self.run_cases(0, passed=3)
        self.assertEqual((result.returncode, result.stdout), (0, "3 passed, 0 failed\n"))

    def test_names_the_skipped_apart(self):
        result = self.run_cases(0, passed=3, skipped=2)
        self.assertEqual((result.returncode, result.stdout), (0, "3 passed, 0 failed\n"))
        self.assertIn("2 skipped", result.stderr)

    def test_fails_with_a_failed_case(self):
        result = self.run_cases(3, passed=3, failed=1)
        self.assertEqual((result.returncode, result.stdout), (1, "3 passed, 1 failed\n"))

    def test_fails_when_bazel_fails_without_a_result(self):
        result = self.run_cases(1)
        self.assertEqual((result.returncode, result.stdout), (1, "0 passed, 1 failed\n"))

    def test_fails_when_nothing_was_run(self):
        result = self.run_cases(0)
        self.assertEqual((result.returncode, result.stdout), (1, "0 passed, 0 failed\n"))

    def test_runs_all_targets_unless_some_are_named(self):
        self.run_cases(0, passed=1)
        self.assertTrue(self.bazel_calls()[-1].endswith("--config=asan //..."))
        self.door("test", "//tests/engine/...", "--test_filter", "FenTest.*")
        self.assertTrue(self.bazel_calls()[-1].endswith("//tests/engine/... --test_filter FenTest.*"))

    def test_explains_itself_without_its_packages(self):
        self.set_packages(missing="clang-19 stockfish")
        for arguments in (["--help"], ["-h"], ["--stress", "--help"]):
            result = self.door("test", *arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("--config=tsan", result.stdout)
            self.assertIn("--stress", result.stdout)
        self.assertEqual(self.bazel_calls(), [])


if __name__ == "__main__":
    xml_unittest.main()
