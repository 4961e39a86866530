"""`kibitz lichess bot`: what it says before it goes to Lichess. What it does there is in tests/client/lichess/bot."""

import pathlib
import tempfile

from tests.client.cli import program
from tests.suite import xml_unittest


class LichessBotCommandTest(program.ProgramTest):

    def setUp(self):
        super().setUp()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def policy(self, text):
        path = self.folder / "bot.toml"
        path.write_text(text)
        return str(path)

    def test_wants_a_token_and_tells_where_to_get_one(self):
        self.assert_fails(self.kibitz("lichess", "bot"), 2, "--token-file")
        self.assert_fails(self.kibitz("lichess", "bot", "--token-file", "/no/such"), 2,
                          "the token file /no/such cannot be read", "holds the token and nothing else")

    def test_checks_a_policy(self):
        good = self.policy("[play]\nponder = false\n")
        self.assertIn("good", self.output("lichess", "bot", "--policy", good, "--check-policy"))
        bad = self.policy("[play]\nponder = 3\n[chess]\n")
        result = self.kibitz("lichess", "bot", "--policy", bad, "--check-policy")
        self.assert_fails(result, 2, "bot.toml: line 2: play.ponder: is neither true nor false")
        self.assert_fails(result, 2, "bot.toml: line 3: chess: is not known")

    def test_does_not_send_a_token_in_plaintext(self):
        token = self.folder / "token"
        token.write_text("lip_secret\n")
        result = self.kibitz("lichess", "bot", "--token-file", str(token), "--url", "http://lichess.example")
        self.assert_fails(result, 1, "plaintext")
        self.assertNotIn("lip_secret", result.stderr + result.stdout)

    def test_needs_to_be_told_what_to_do_there(self):
        self.assert_fails(self.kibitz("lichess"), 2, "lichess")


if __name__ == "__main__":
    xml_unittest.main()
