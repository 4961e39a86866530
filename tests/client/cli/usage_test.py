"""Help, wrong usage, and the exit codes that tell them apart."""

from tests.client.cli import program
from tests.suite import xml_unittest

COMMANDS = ("moves", "perft", "analyze", "uci", "info", "doctor", "health")


class UsageTest(program.ProgramTest):
    def test_helps_on_standard_output(self):
        text = self.output("--help")
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} ")
        self.assertIn("Examples:", text)

    def test_helps_with_every_command(self):
        for command in COMMANDS:
            with self.subTest(command):
                text = self.output(command, "--help")
                self.assertIn(f"kibitz {command}", text)
                self.assertIn("Examples:", text)

    def test_names_the_server_and_the_key_alike_in_every_command(self):
        for command in (*COMMANDS, "bench", "match", "ladder"):
            with self.subTest(command):
                text = self.output(command, "--help")
                for words in ("--server HOST:PORT (Env:KIBITZ_SERVER)", "--key-file FILE (Env:KIBITZ_KEY_FILE)",
                              "or KIBITZ_KEY", "--tls-ca FILE (Env:KIBITZ_TLS_CA)", "--insecure"):
                    self.assertIn(words, text)

    def test_takes_no_key_on_the_command_line(self):
        self.assert_fails(self.kibitz("uci", "--token", "sesame"), 2, "unknown option '--token'")
        self.assert_fails(self.kibitz("info", "--key", "sesame"), 2, "unknown option '--key'")

    def test_says_what_is_wrong_with_a_key_file(self):
        for command in (*COMMANDS, "bench"):
            with self.subTest(command):
                result = self.kibitz(command, *(("2",) if command == "perft" else ()), "--key-file", "/no/such")
                self.assert_fails(result, 1, "the key file /no/such cannot be read", "holds the key and nothing else")

    def test_fits_a_wide_terminal(self):
        for command in ((), ("match",), ("ladder",), *((command,) for command in COMMANDS)):
            for line in self.output(*command, "--help").splitlines():
                self.assertLessEqual(len(line), 120, line)

    def test_suggests_the_nearest_command(self):
        self.assert_fails(self.kibitz("mvoes"), 2, "unknown command 'mvoes'", "did you mean 'moves'?")

    def test_suggests_the_nearest_option(self):
        self.assert_fails(self.kibitz("moves", "--jsn"), 2, "unknown option '--jsn'", "did you mean '--json'?")

    def test_suggests_nothing_where_nothing_is_near(self):
        result = self.kibitz("xyzzy")
        self.assert_fails(result, 2, "unknown command 'xyzzy'", "see kibitz --help")
        self.assertNotIn("did you mean", result.stderr)

    def test_wants_a_command(self):
        self.assert_fails(self.kibitz(), 2, "Commands:")

    def test_wants_a_depth(self):
        self.assert_fails(self.kibitz("perft"), 2, "DEPTH", "see kibitz perft --help")
        self.assert_fails(self.kibitz("perft", "deep"), 2, "deep", "see kibitz perft --help")

    def test_refuses_numbers_that_are_none(self):
        self.assert_fails(self.kibitz("perft", "3", "--threads", "many"), 2, "--threads")
        self.assert_fails(self.kibitz("info", "--timeout", "-1"), 2, "--timeout")

    def test_refuses_attacks_of_what_is_no_square(self):
        self.assert_fails(self.kibitz("moves", "--attacks", "z9"), 2, "'z9' is not a square")

    def test_refuses_a_word_too_many(self):
        self.assert_fails(self.kibitz("info", "please"), 2, "unknown argument 'please'")


if __name__ == "__main__":
    xml_unittest.main()
