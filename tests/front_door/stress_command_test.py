"""The stress hunt: what it runs how often, the load beside it, its table, and that the load ends with it."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

from tests.front_door import front_door
from tests.suite import xml_unittest

CORES = 2


def processes(session):
    """The processes of a session that have not ended: each one's number, with its parent's."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent, _, its_session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            except OSError:
                continue
            if int(its_session) == session and state not in "ZX":
                found[int(entry.name)] = int(parent)
    return found


class StressCommandTest(front_door.FrontDoorTest):
    def setUp(self):
        super().setUp()
        shutil.copy("tests/front_door/fake_tests.py", self.world)
        self.write("while_building", 'if [[ $command == test ]]; then exec python3 "$WORLD/fake_tests.py" "$@"; fi')
        self.write("events.json", "")
        self.write("cores", str(CORES))
        self.stub("nproc", '#!/bin/bash\ncat "$WORLD/cores"\n')

    def row(self, result, target):
        rows = [line.split(maxsplit=7) for line in result.stderr.splitlines() if line.startswith(f"{target} ")]
        self.assertEqual(len(rows), 1, result.stderr)
        return rows[0][1:]

    def test_runs_every_target_idle_and_beside_the_load(self):
        result = self.door("test", "--stress", "//a/...")
        self.assertEqual((result.returncode, result.stdout), (1, "80 passed, 10 failed\n"), result.stderr)
        self.assertEqual((self.world / "load.log").read_text().split(), ["0", "0", str(CORES)])
        self.assertEqual(self.row(result, "//a:flaky_test"), ["0", "of", "20", "10", "of", "20", "failed (10)"])
        self.assertNotIn("\n//a:steady_test", result.stderr)
        self.assertEqual(self.row(result, "//a:long_test")[:6], ["0", "of", "5", "0", "of", "5"])
        self.assertIn("run 5 times, not 20: it takes 75 s", result.stderr)

    def test_runs_as_often_as_it_is_told(self):
        for arguments in (["--stress", "--runs", "4", "//a/..."], ["//a/...", "--runs=4", "--stress"]):
            result = self.door("test", *arguments)
            self.assertEqual(result.stdout.splitlines()[-1], "16 passed, 2 failed", result.stderr)

    def test_hands_bazel_s_flags_and_targets_on(self):
        self.door("test", "--stress", "--config=asan", "//a/...")
        first, idle, loaded = self.bazel_calls()
        for call in (first, idle, loaded):
            self.assertTrue(call.endswith("--config=asan //a/..."), call)
        self.assertNotIn("--nocache_test_results", first)
        self.assertIn("--nocache_test_results", loaded)

    def test_wrong_numbers_are_usage_errors(self):
        for arguments in (["--runs"], ["--runs", "0"], ["--runs", "many"], ["--runs="]):
            result = self.door("test", "--stress", *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertIn("--runs needs a number", result.stderr)
            self.assertIn("usage: ./kibitz test --stress", result.stderr)
        self.assertEqual(self.bazel_calls(), [])

    def test_repeats_the_page_s_tests_too(self):
        self.set_up_web()
        result = self.door("test", "--stress", "--runs", "3", "web")
        self.assertEqual((result.returncode, result.stdout), (0, "6 passed, 0 failed\n"), result.stderr)
        self.assertIn("none failed", result.stderr)
        self.assertEqual((self.world / "npm.log").read_text().split().count("vitest"), 6)
        self.write("web_fails", "")
        result = self.door("test", "--stress", "--runs", "2", "web")
        self.assertEqual((result.returncode, result.stdout), (1, "0 passed, 4 failed\n"), result.stderr)
        self.assertEqual(self.row(result, "web"), ["2", "of", "2", "2", "of", "2", "page.draws (4)"])

    def test_all_means_the_page_too(self):
        self.set_up_web()
        result = self.door("test", "--stress", "--runs", "2")
        self.assertEqual(result.stdout.splitlines()[-1], "13 passed, 1 failed", result.stderr)

    def begin_load(self):
        """Starts a hunt; returns it when the load is there."""
        (self.world / "stay").touch()
        hunt = subprocess.Popen(
            [self.tree / "kibitz", "test", "--stress", "//a/..."],
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.addCleanup(self.end_session, hunt)
        self.wait_until(lambda: (self.world / "loaded").exists() or hunt.poll() is not None)
        self.assertIsNone(hunt.poll(), "the hunt ended before its load")
        return hunt

    def wait_until(self, condition):
        deadline = time.monotonic() + 120
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def end_session(self, hunt):
        for pid in processes(hunt.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        hunt.wait()

    def test_an_interrupt_ends_the_load(self):
        hunt = self.begin_load()
        self.assertGreater(len(processes(hunt.pid)), CORES)
        os.killpg(hunt.pid, signal.SIGINT)
        self.assertEqual(hunt.wait(), 130)
        self.assertEqual(processes(hunt.pid), {})

    def test_the_load_does_not_outlive_a_killed_hunt(self):
        hunt = self.begin_load()
        hunt.kill()
        hunt.wait()
        stand_in = int((self.world / "loaded").read_text())
        stand_ins = {stand_in, processes(hunt.pid)[stand_in]}  # and the shell that waits for it
        self.wait_until(lambda: processes(hunt.pid).keys() <= stand_ins)


if __name__ == "__main__":
    xml_unittest.main()
