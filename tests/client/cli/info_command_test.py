"""`kibitz info`, by itself and against a real server."""

from tests.client.cli import program
from tests.suite import xml_unittest


class InfoCases:
    def test_shows_the_server_and_its_bounds(self):
        text = self.output("info")
        self.assertRegex(text, r"(?m)^  version +Kibitz \S+$")
        self.assertRegex(text, r"(?m)^  workers +[1-9][0-9]*$")
        self.assertRegex(text, r"(?m)^  perft depth +[1-9][0-9]*$")

    def test_answers_in_json(self):
        [info] = self.objects("info")
        self.assertGreaterEqual(info["workers"], 1)
        self.assertGreaterEqual(info["caps"]["maxPerftDepth"], 1)
        self.assertIn("liveAnalyses", info)


class EmbeddedInfoTest(InfoCases, program.ProgramTest):
    pass


class ServedInfoTest(InfoCases, program.Served, program.ProgramTest):
    def test_prefers_the_flag_to_the_environment(self):
        self.output("info", KIBITZ_SERVER="127.0.0.1:1")


class NoServerTest(program.ProgramTest):
    def test_looks_for_the_server_that_the_environment_names(self):
        self.assert_fails(self.kibitz("info", KIBITZ_SERVER="127.0.0.1:1"), 1, "no server at 127.0.0.1:1")

    def test_says_what_to_do_when_nobody_listens(self):
        for command in (["info"], ["moves"], ["perft", "3"], ["analyze"]):
            with self.subTest(command):
                result = self.kibitz(*command, "--server", "127.0.0.1:1")
                self.assert_fails(result, 1, "no server at 127.0.0.1:1", "./kibitz serve, or leave out --server")

    def test_says_it_once_for_a_whole_file(self):
        result = self.kibitz("moves", "-", "--server", "127.0.0.1:1", stdin=f"{program.START}\n" * 3)
        self.assert_fails(result, 1, "no server at 127.0.0.1:1")
        self.assertEqual(result.stderr.count("error:"), 1)

    def test_ignores_web_proxies(self):
        server = program.Server()
        self.addCleanup(server.stop)
        self.output("info", "--server", server.address, http_proxy="http://127.0.0.1:1", grpc_proxy="http://127.0.0.1:1")

    def test_refuses_an_address_without_a_port(self):
        for address in ("localhost", "localhost:", ":50051"):
            with self.subTest(address):
                self.assert_fails(self.kibitz("info", "--server", address), 2, "is not HOST:PORT")

    def test_an_empty_address_undoes_the_environment(self):
        self.output("moves", "--server", "", KIBITZ_SERVER="127.0.0.1:1")


if __name__ == "__main__":
    xml_unittest.main()
