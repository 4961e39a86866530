"""The systemd unit that the package installs: that systemd takes it, and how little it leaves open."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from tests.suite import xml_unittest

_RUNFILES = pathlib.Path(os.environ["TEST_SRCDIR"]) / os.environ["TEST_WORKSPACE"]
SYSTEMD = _RUNFILES / "deploy" / "systemd"
# Of 100. What is left is what a server cannot do without: sockets.
MAX_EXPOSURE = 15


class UnitTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.text = (SYSTEMD / "kibitzd.service").read_text()
        # Where the package is not installed there is no /usr/bin/kibitzd.
        self.unit = pathlib.Path(folder.name) / "kibitzd.service"
        self.unit.write_text(self.text.replace("/usr/bin/kibitzd", "/usr/bin/env"))

    def analyze(self, *arguments):
        result = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stderr

    def setting(self, name):
        return re.search(rf"(?m)^{name}=(.*)$", self.text)[1]

    def test_systemd_takes_it_without_a_word(self):
        words = self.analyze("verify", "--man=no", "--recursive-errors=no", str(self.unit))
        self.assertNotIn("kibitzd.service", words)

    def test_leaves_little_open(self):
        self.analyze("security", "--offline=yes", f"--threshold={MAX_EXPOSURE}", str(self.unit))

    def test_runs_as_the_user_that_the_package_makes(self):
        user = (SYSTEMD / "kibitz.sysusers").read_text().splitlines()[-1].split()
        self.assertEqual((user[0], user[1]), ("u", self.setting("User")))
        kind, folder, mode, *owner = (SYSTEMD / "kibitz.tmpfiles").read_text().splitlines()[-1].split()
        self.assertEqual((kind, folder, mode), ("d", "/var/lib/kibitz", self.setting("StateDirectoryMode")))
        self.assertEqual(owner, [self.setting("User"), self.setting("Group")])

    def test_comes_back_unless_its_configuration_is_wrong(self):
        self.assertEqual(self.setting("Restart"), "always")
        self.assertEqual(self.setting("RestartPreventExitStatus"), "2")


if __name__ == "__main__":
    xml_unittest.main()
