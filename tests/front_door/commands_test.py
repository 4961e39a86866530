"""Which program each command of the front door reaches, and what it says to those who ask or err."""

import os
import pathlib
import shutil

from tests.front_door import front_door
from tests.suite import xml_unittest

COMMANDS = """serve moves perft analyze review job evaluate uci info tls keys store doctor health top farm match ladder
              lichess fishnet selfplay relabel train tune man completion web test attack soak bench package image
              release""".split()


class CommandsTest(front_door.FrontDoorTest):
    def test_help_lists_the_commands_without_building(self):
        for spelling in ("help", "--help", "-h"):
            result = self.door(spelling)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            for command in COMMANDS:
                self.assertRegex(result.stdout, rf"(?m)^  {command} .*\./kibitz {command}\b")
        self.assertEqual(self.bazel_calls(), [])

    def test_no_command_is_a_usage_error(self):
        result = self.door()
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("usage:", result.stderr)

    def test_unknown_command_is_a_usage_error_with_a_hint(self):
        result = self.door("mvoes")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(f"unknown command 'mvoes'; there are: {' '.join(COMMANDS)}\n", result.stderr)
        self.assertIn("./kibitz --help", result.stderr)
        self.assertEqual(self.bazel_calls(), [])

    def test_unknown_benchmark_is_a_usage_error_that_lists_them(self):
        result = self.door("bench", "nosuch")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("unknown benchmark 'nosuch'; there are: perft rpc\n", result.stderr)
        self.assertEqual(self.bazel_calls(), [])

    def assert_runs(self, arguments, target, program_line):
        result = self.door(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.splitlines()[1:], [program_line])
        self.assertEqual(self.bazel_calls()[-1].split()[-1], target)

    def test_serve_runs_the_server(self):
        self.assert_runs(["serve", "--listen", "[::1]:0"], "//server:kibitzd", "kibitzd one --listen [::1]:0")

    def test_tools_of_the_evaluation_are_programs_of_their_own(self):
        self.assert_runs(["selfplay", "--positions", "3"], "//engine/tuning:play_games", "play_games one --positions 3")
        self.assert_runs(["tune", "fit"], "//engine/tuning:tune", "tune one fit")

    def test_other_commands_run_the_client_with_all_arguments(self):
        self.assert_runs(["moves", "--moves", "e2e4 e7e5"], "//client/cli:kibitz", "kibitz one moves --moves e2e4 e7e5")
        self.assert_runs(["--version"], "//client/cli:kibitz", "kibitz one --version")

    def test_help_of_a_command_comes_from_its_program(self):
        self.assert_runs(["perft", "--help"], "//client/cli:kibitz", "kibitz one perft --help")
        self.assert_runs(["serve", "--help"], "//server:kibitzd", "kibitzd one --help")

    def test_bench_with_a_name_runs_that_benchmark(self):
        self.assert_runs(["bench", "perft", "--json"], "//tests/bench:perft", "perft one --json")

    def test_bench_without_a_name_is_the_client_s(self):
        self.assert_runs(["bench", "--json"], "//client/cli:kibitz", "kibitz one bench --json")

    def test_match_is_the_client_s(self):
        self.assert_runs(["match", "--engine", "cmd=a b"], "//client/cli:kibitz", "kibitz one match --engine cmd=a b")

    def test_soak_is_told_where_the_programs_are(self):
        (self.tree / "tests" / "soak").mkdir(parents=True)
        self.write("tree/tests/soak/soak.py", "import os, sys; print(os.environ['KIBITZD'], os.environ['KIBITZ'], sys.argv[1:])")
        result = self.door("soak", "--minutes", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^/\S+/kibitzd /\S+/kibitz \['--minutes', '1'\]\n$")
        self.assertEqual([call.split()[-1] for call in self.bazel_calls()], ["//server:kibitzd", "//client/cli:kibitz"])

    def test_ladder_writes_into_the_docs(self):
        self.assert_runs(["ladder", "--games", "2"], "//client/cli:kibitz",
                         f"kibitz one ladder --docs {self.tree}/docs --games 2")

    def test_match_against_a_revision_builds_it_aside(self):
        self.stub("git", front_door.GIT)
        shutil.copytree(self.tree, self.world / "old")
        self.write("old/engine/source", "old")
        for spelling in (["--against", "old"], ["--against=old"]):
            result = self.door("match", *spelling, "--tc", "1")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stdout.splitlines()[1], r"^kibitz one match --engine name=old cmd=\S+/0123abcd/kibitz "
                                                            r"arg=uci --tc 1$")
        self.assertEqual(len(self.bazel_calls()), 2)
        engine = result.stdout.split("cmd=")[1].split()[0]
        self.assertTrue(engine.startswith(str(self.home)), engine)
        self.assertEqual(pathlib.Path(engine).with_name("engine").joinpath("source").read_text(), "old")

    def test_match_against_what_does_not_exist_is_an_error(self):
        self.stub("git", front_door.GIT)
        result = self.door("match", "--against", "older")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("there is no revision 'older'", result.stderr)
        self.assertEqual(self.door("match", "--against").returncode, 1)

    def test_bench_against_a_revision_gives_the_ratio(self):
        self.stub("git", front_door.GIT)
        shutil.copytree(self.tree, self.world / "old")
        self.write("tree/engine/source", "Nodes/second: 3000")
        self.write("old/engine/source", "Nodes/second: 2000")
        result = self.door("bench", "--against", "old")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(
            result.stdout.splitlines()[-1].split(), ["nodes_per_second", "3000.0", "2000.0", "1.500"]
        )
        for arguments in (["--against"], ["--against", "older"], ["--against", "old", "more"]):
            self.assertEqual(self.door("bench", *arguments).returncode, 1)

    def test_works_through_a_symbolic_link_from_elsewhere(self):
        os.symlink(self.tree / "kibitz", self.stubs / "kibitz-link")
        self.tree = self.stubs
        os.rename(self.stubs / "kibitz-link", self.stubs / "kibitz")
        self.assert_runs(["info"], "//client/cli:kibitz", "kibitz one info")


if __name__ == "__main__":
    xml_unittest.main()
