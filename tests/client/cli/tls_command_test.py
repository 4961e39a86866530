"""`kibitz tls init`, and the commands that it tells to type."""

import pathlib
import re
import subprocess
import tempfile

from tests.client.cli import program
from tests.suite import xml_unittest


class TlsCommandTest(program.ProgramTest):

    def setUp(self):
        super().setUp()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name) / "tls"

    def test_a_server_starts_with_the_files_as_told(self):
        text = self.output("tls", "init", str(self.folder), "--days", "2")
        command = re.search(r"kibitzd --listen 0\.0\.0\.0:50051 (.*--tls-client-ca .*)", text)[1]
        with subprocess.Popen([program.KIBITZD, "--listen", "127.0.0.1:0", "--hash-mb", "1", *command.split()],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=program.environment()) as server:
            line = server.stdout.readline()
            server.kill()
            log = server.stderr.read()
        self.assertRegex(line, "^listening on ", log)

    def test_keys_are_for_their_owner_and_are_not_printed(self):
        text = self.output("tls", "init", str(self.folder))
        self.assertNotIn("PRIVATE KEY", text)
        for path in self.folder.iterdir():
            self.assertEqual(path.stat().st_mode & 0o777, 0o600, path)

    def test_overwrites_nothing(self):
        self.output("tls", "init", str(self.folder))
        before = (self.folder / "ca.pem").read_bytes()
        self.assert_fails(self.kibitz("tls", "init", str(self.folder)), 1, "is there already, and is not overwritten")
        self.assertEqual((self.folder / "ca.pem").read_bytes(), before)

    def test_refuses_what_is_no_host(self):
        self.assert_fails(self.kibitz("tls", "init", str(self.folder), "--host", "a b"), 1, "'a b' is no host name")
        self.assert_fails(self.kibitz("tls", "init", str(self.folder), "--days", "0"), 2, "--days")

    def test_needs_to_be_told_what_to_do(self):
        self.assert_fails(self.kibitz("tls"), 2, "tls")


if __name__ == "__main__":
    xml_unittest.main()
