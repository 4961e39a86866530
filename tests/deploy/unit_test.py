"""The systemd units: that systemd takes them, and how little they leave open."""

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


class Unit:
    """What holds for every unit."""

    name = ""
    program = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.text = (SYSTEMD / self.name).read_text()
        # Where the package is not installed the program is not there.
        self.unit = pathlib.Path(folder.name) / self.name
        self.assertIn(f"ExecStart=/usr/bin/{self.program} ", self.text)
        self.unit.write_text(self.text.replace(f"/usr/bin/{self.program} ", "/usr/bin/env "))

    def analyze(self, *arguments):
        result = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stderr

    def setting(self, name):
        return re.search(rf"(?m)^{name}=(.*)$", self.text)[1]

    def test_systemd_takes_it_without_a_word(self):
        words = self.analyze("verify", "--man=no", "--recursive-errors=no", str(self.unit))
        self.assertNotIn(self.name, words)

    def test_leaves_little_open(self):
        self.analyze("security", "--offline=yes", f"--threshold={MAX_EXPOSURE}", str(self.unit))

    def test_does_not_come_back_if_its_configuration_is_wrong(self):
        self.assertEqual(self.setting("RestartPreventExitStatus"), "2")


class ServerUnitTest(Unit, unittest.TestCase):
    name = "kibitzd.service"
    program = "kibitzd"

    def test_runs_as_the_user_that_the_package_makes(self):
        user = (SYSTEMD / "kibitz.sysusers").read_text().splitlines()[-1].split()
        self.assertEqual((user[0], user[1]), ("u", self.setting("User")))
        kind, folder, mode, *owner = (SYSTEMD / "kibitz.tmpfiles").read_text().splitlines()[-1].split()
        self.assertEqual((kind, folder, mode), ("d", "/var/lib/kibitz", self.setting("StateDirectoryMode")))
        self.assertEqual(owner, [self.setting("User"), self.setting("Group")])

    def test_comes_back_always(self):
        self.assertEqual(self.setting("Restart"), "always")


class LichessBotUnitTest(Unit, unittest.TestCase):
    name = "kibitz-lichess-bot.service"
    program = "kibitz"


class FishnetUnitTest(unittest.TestCase):
    """The unit that an operator copies who has a worker's key."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.text = (SYSTEMD / "kibitz-fishnet.service").read_text()
        self.unit = pathlib.Path(folder.name) / "kibitz-fishnet.service"
        self.unit.write_text(self.text.replace("/usr/bin/kibitz", "/usr/bin/env"))

    def test_systemd_takes_it_and_it_leaves_little_open(self):
        for arguments in (("verify", "--man=no", "--recursive-errors=no"),
                          ("security", "--offline=yes", f"--threshold={MAX_EXPOSURE}")):
            result = subprocess.run(["systemd-analyze", *arguments, str(self.unit)], capture_output=True, text=True,
                                    timeout=60, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertNotIn("kibitz-fishnet.service:", result.stderr)

    def test_keeps_the_key_to_itself(self):
        self.assertIn("LoadCredential=key:", self.text)
        self.assertIn("--key-file %d/key", self.text)


if __name__ == "__main__":
    xml_unittest.main()
