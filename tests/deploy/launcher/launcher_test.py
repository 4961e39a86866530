"""The launcher as it is installed: what it becomes, with which arguments, and what it says when it cannot."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from tests.suite import xml_unittest

_RUNFILES = pathlib.Path(os.environ["TEST_SRCDIR"]) / os.environ["TEST_WORKSPACE"]
LAUNCHER = _RUNFILES / "deploy" / "launcher" / "launcher"
# Every machine that builds this can run it.
OLDEST = "x86-64-v2"
VARIANTS = ("x86-64-v3", "x86-64-v3-magic", OLDEST)


class LauncherTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.prefix = pathlib.Path(folder.name)
        self.launcher = self.prefix / "bin" / "kibitzd"
        self.launcher.parent.mkdir()
        shutil.copy(LAUNCHER, self.launcher)

    def install(self, variant):
        """A program that tells which it is, its process and its arguments."""
        program = self.prefix / "lib" / "kibitz" / variant / "kibitzd"
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\necho "{variant} $$ $*"\nexit 7\n')
        program.chmod(0o755)
        return program

    def launch(self, *arguments, program=None, **environment):
        with subprocess.Popen([program or self.launcher, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env=environment) as process:
            output, errors = process.communicate(timeout=60)
        return process, output, errors

    def test_becomes_a_variant_in_the_same_process(self):
        for variant in VARIANTS:
            self.install(variant)
        process, output, errors = self.launch("--listen", "a b")
        variant, pid, arguments = output.split(maxsplit=2)
        self.assertIn(variant, VARIANTS)
        self.assertEqual((int(pid), arguments, errors), (process.pid, "--listen a b\n", ""))
        self.assertEqual(process.returncode, 7)

    def test_is_found_through_a_link_of_another_name(self):
        self.install(OLDEST)
        link = self.prefix / "engine"
        link.symlink_to(self.launcher)
        self.assertTrue(self.launch(program=link)[1].startswith(OLDEST))

    def test_takes_the_next_best_where_one_is_left_out(self):
        self.install(OLDEST)
        self.assertTrue(self.launch()[1].startswith(OLDEST))

    def test_the_environment_overrides_the_choice(self):
        for variant in VARIANTS:
            self.install(variant)
        self.assertTrue(self.launch(KIBITZ_VARIANT=OLDEST)[1].startswith(OLDEST))
        self.assertNotEqual(self.launch(KIBITZ_VARIANT="")[1], "")

    def assert_fails(self, words, **environment):
        process, output, errors = self.launch(**environment)
        self.assertEqual((process.returncode, output), (1, ""))
        self.assertTrue(errors.startswith("kibitzd: "), errors)
        self.assertIn(words, errors)

    def test_says_what_is_wrong(self):
        self.assert_fails("install the package again")
        self.assert_fails("there is no variant 'i386'", KIBITZ_VARIANT="i386")
        self.install(OLDEST).chmod(0o644)
        self.assert_fails("Permission denied", KIBITZ_VARIANT=OLDEST)


if __name__ == "__main__":
    xml_unittest.main()
