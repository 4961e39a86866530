"""`kibitz doctor`, on this machine and of servers in good and bad health."""

import re

from tests.client.cli import program
from tests.suite import xml_unittest


class DoctorTest(program.ProgramTest):
    def findings(self, *arguments, code=0):
        result = self.kibitz("doctor", "--json", *arguments)
        self.assertEqual((result.returncode, result.stderr), (code, ""), result)
        return {line["subject"]: line for line in program.parse_lines(result.stdout)}

    def test_looks_at_this_machine(self):
        findings = self.findings()
        self.assertLessEqual({"processor", "cores", "memory", "huge pages", "files", "own server"}, set(findings))
        self.assertEqual(findings["own server"]["verdict"], "good")
        for finding in findings.values():
            self.assertEqual("nextStep" in finding, finding["verdict"] != "good", finding)

    def test_finds_a_server_in_good_health(self):
        server = program.Server()
        self.addCleanup(server.stop)
        findings = self.findings("--server", server.address)
        for subject in ("address", "port", "health", "key", "version", "clock", "answers"):
            self.assertEqual(findings[subject]["verdict"], "good", findings[subject])
            self.assertEqual(findings[subject]["about"], server.address)
        self.assertRegex(findings["answers"]["words"], r"legal moves in [0-9.]+ ms")

    def test_finds_what_is_wrong(self):
        findings = self.findings("--server", "127.0.0.1:1", code=1)
        self.assertEqual(findings["port"]["verdict"], "bad")
        self.assertIn("kibitzd --listen", findings["port"]["nextStep"])
        self.assertEqual(self.findings("--syzygy-path", "/no/such", code=1)["endgame tables"]["verdict"], "bad")
        self.assertIn("no-such-package", self.findings("--packages", "no-such-package")["packages"]["words"])

    def test_draws_a_table_in_colours_on_a_terminal_only(self):
        plain = self.kibitz("doctor", "--server", "127.0.0.1:1")
        self.assertEqual(plain.returncode, 1)
        self.assertNotIn("\x1b", plain.stdout)
        self.assertTrue(re.search(r"(?m)^  port +bad +1: Connection refused\n +-> start", plain.stdout), plain.stdout)
        terminal = self.terminal("doctor", "--server", "127.0.0.1:1")
        self.assertEqual(terminal.finish(), 1)
        self.assertIn("\x1b[", terminal.shown)

    def test_says_what_is_wrong_with_a_key_file(self):
        self.assert_fails(self.kibitz("doctor", "--key-file", "/no/such"), 1, "the key file /no/such cannot be read")


if __name__ == "__main__":
    xml_unittest.main()
