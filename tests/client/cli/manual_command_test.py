"""`kibitz completion` and `kibitz man`, and what kibitzd says of itself: by bash, and line by line."""

import subprocess

from tests.client.cli import program
from tests.suite import xml_unittest

# Completes the words that are given, the last of them, as bash does when Tab is pressed.
COMPLETE = """
eval "$1"
name=$2
shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt() { :; }
"_$name"
printf '%s\\n' "${COMPREPLY[@]}"
"""


class CompletionTest(program.ProgramTest):
    def complete(self, *words, script=None):
        script = script or self.output("completion", "bash")
        result = subprocess.run(["bash", "-u", "-c", COMPLETE, "bash", script, *words], capture_output=True, text=True,
                                timeout=program.PATIENCE, env=program.environment())
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.split()

    def test_completes_commands(self):
        self.assertEqual(self.complete("kibitz", "an"), ["analyze"])
        self.assertLess({"moves", "perft", "analyze", "uci", "info", "--help"}, set(self.complete("kibitz", "")))

    def test_completes_options_of_the_command(self):
        self.assertEqual(self.complete("kibitz", "perft", "6", "--div"), ["--divide"])
        self.assertEqual(self.complete("kibitz", "info", "--div"), [])

    def test_completes_values(self):
        self.assertEqual(self.complete("kibitz", "analyze", "--priority", "b"), ["batch"])
        self.assertEqual(self.complete("kibitz", "info", "--key-file", program.KIBITZ[:-1]), [program.KIBITZ])
        self.assertEqual(self.complete("kibitz", "info", "--server", ""), [])
        self.assertEqual(self.complete("kibitz", "completion", "b"), ["bash"])

    def test_completes_the_flags_of_the_server(self):
        script = subprocess.run([program.KIBITZD, "--completion"], capture_output=True, text=True, check=True,
                                timeout=program.PATIENCE, env=program.environment()).stdout
        self.assertEqual(self.complete("kibitzd", "--list", script=script), ["--listen"])
        self.assertEqual(self.complete("kibitzd", "--log-level", "w", script=script), ["warn"])

    def test_knows_no_other_shell(self):
        self.assert_fails(self.kibitz("completion", "fish"), 2, "fish", "see kibitz completion --help")


class ManTest(program.ProgramTest):
    def test_tells_of_every_command_and_option(self):
        page = self.output("man")
        self.assertTrue(page.startswith(".TH KIBITZ 1 "), page[:80])
        commands = [line.split()[0] for line in self.output("--help").split("Commands:\n")[1].splitlines()
                    if line.startswith("  ") and line[2] != " "]
        for command in commands[:commands.index("kibitz") if "kibitz" in commands else None]:
            self.assertIn(f"\n.SS kibitz {command}\n", page)
        self.assertIn("\\fB\\-\\-key\\-file\\fR \\fIFILE\\fR", page)
        self.assertIn("\\fBKIBITZ_SERVER\\fR", page)

    def test_tells_of_the_server(self):
        page = subprocess.run([program.KIBITZD, "--man"], capture_output=True, text=True, check=True,
                              timeout=program.PATIENCE, env=program.environment()).stdout
        self.assertTrue(page.startswith(".TH KIBITZD 8 "), page[:80])
        self.assertIn("\\fBKIBITZ_LISTEN\\fR", page)


if __name__ == "__main__":
    xml_unittest.main()
