"""The real server with TLS and keys, and every kind of client: commands, the UCI bridge, a match, the doctor."""

import pathlib
import subprocess
import tempfile

from tests.client.cli import program
from tests.client.uci import engine
from tests.suite import xml_unittest


class SecureServerTest(engine.EngineTest, program.ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.tls, cls.keys, cls.key_file = cls.folder / "tls", cls.folder / "keys.toml", cls.folder / "key"
        cls.run_kibitz("tls", "init", str(cls.tls))
        cls.run_kibitz("keys", "add", "--file", str(cls.keys), "--tenant", "site", "--max-depth", "20", "--key-file",
                       str(cls.key_file))
        cls.server = program.Server("--tls-cert", str(cls.tls / "server.pem"), "--tls-key", str(cls.tls / "server.key"),
                                    "--keys", str(cls.keys))
        cls.addClassCleanup(cls.server.stop)
        cls.flags = ("--server", cls.server.address, "--tls-ca", str(cls.tls / "ca.pem"), "--key-file",
                     str(cls.key_file))

    @classmethod
    def run_kibitz(cls, *arguments):
        subprocess.run([program.KIBITZ, *arguments], check=True, capture_output=True, timeout=program.PATIENCE,
                       env=program.environment())

    def assert_secret(self, text):
        self.assertNotIn(self.key_file.read_text().strip(), text)

    def test_answers_commands(self):
        for command in (["info"], ["moves"], ["perft", "2"], ["analyze", "--depth", "3"], ["bench", "--depth", "1"]):
            self.assert_secret(self.output(*command, *self.flags))

    def test_lets_nobody_in_without_a_key(self):
        result = self.kibitz("info", *self.flags[:4])
        self.assert_fails(result, 1, f"{self.server.address} wants a key: --key-file FILE")
        wrong = self.kibitz("info", *self.flags[:4], KIBITZ_KEY="kbz_wrong")
        self.assert_fails(wrong, 1, "does not accept this key", "--key-file FILE")
        self.assertNotIn("kbz_wrong", wrong.stderr)

    def test_is_a_bridge_for_a_chess_gui(self):
        bridge = self.start(*self.flags)
        self.assert_secret("\n".join(bridge.ask("uci", "uciok")))
        bridge.say("go depth 4")
        bridge.best_move()
        by_options = self.start()
        by_options.say(f"setoption name Server value {self.server.address}", "go depth 2")
        self.assertIn("speaks TLS", by_options.until("bestmove")[0])
        by_options.say(f"setoption name TLS CA File value {self.tls / 'ca.pem'}", "go depth 2")
        self.assertIn("wants a key", by_options.until("bestmove")[0])
        by_options.say(f"setoption name Key File value {self.key_file}", "go depth 2")
        self.assertTrue(by_options.until("bestmove")[0].startswith("info depth"))

    def test_plays_a_match(self):
        output = self.output("match", "--json", "--engine", f"server={self.server.address}", "--nodes", "100", "--games",
                             "2", "--max-moves", "6", "--each", "option.Hash=1", *self.flags[2:])
        self.assertIn('"crashes":0', output.replace(" ", ""))
        self.assert_secret(output)

    def test_is_in_good_health(self):
        findings = {line["subject"]: line for line in self.objects("doctor", *self.flags)}
        self.assertEqual(findings["TLS"]["verdict"], "good")
        self.assertIn("known as site; depth up to 20", findings["key"]["words"])
        result = self.kibitz("doctor", "--json", *self.flags[:4])
        self.assertEqual(result.returncode, 1)
        self.assertIn("wants a key", result.stdout)


class FullServerTest(program.ProgramTest):
    def test_is_come_back_to(self):
        server = program.Server("--workers", "1", "--max-live", "1", "--max-queue", "0")
        self.addCleanup(server.stop)
        first = subprocess.Popen([program.KIBITZ, "analyze", "--movetime", "8000", "--json", "--server", server.address],
                                 stdout=subprocess.PIPE, text=True, env=program.environment())
        self.addCleanup(first.wait, program.PATIENCE)
        self.addCleanup(first.stdout.close)
        self.addCleanup(first.kill)
        first.stdout.readline()
        for command in (["perft", "2"], ["analyze", "--depth", "2"]):
            self.assert_fails(self.kibitz(*command, "--server", server.address), 1, "try again in ", "--wait SECONDS")
        second = self.kibitz("analyze", "--depth", "2", "--wait", "50", "--server", server.address)
        self.assertEqual(second.returncode, 0, second)
        self.assertIn("the server is full: trying again in ", second.stderr)
        self.assertIn("best move", second.stdout)


if __name__ == "__main__":
    xml_unittest.main()
