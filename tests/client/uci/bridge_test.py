"""`kibitz uci` in front of a real server, which may die."""

from tests.client.cli import program
from tests.client.uci import engine
from tests.suite import xml_unittest


class BridgeTest(engine.EngineTest):
    def setUp(self):
        self.server = program.Server()
        self.addCleanup(self.server.stop)

    def test_searches_on_the_server(self):
        bridge = self.start("--server", self.server.address)
        self.assertIn("bridge", bridge.ask("uci", "uciok")[0])
        bridge.say("position startpos moves e2e4", "go depth 5")
        self.assertRegex(bridge.best_move(), "^[a-h][78][a-h][1-8]$")

    def test_becomes_a_bridge_by_option(self):
        bridge = self.start()
        bridge.say(f"setoption name Server value {self.server.address}", "setoption name Key value sesame",
                   "setoption name Hash value 32")
        self.assertIn("for the server", bridge.said_so_far()[0])
        bridge.say("go depth 5")
        bridge.best_move()
        bridge.say("setoption name Server value <empty>", "go depth 5")
        bridge.best_move()

    def test_answers_when_the_server_dies(self):
        bridge = self.start("--server", self.server.address)
        bridge.say("position startpos", "go wtime 600000 btime 600000")
        best = engine.fields(bridge.until("info depth")[-1])["pv"][0]
        self.server.process.kill()
        lines = bridge.until("bestmove")
        self.assertIn(f"info string the connection to {self.server.address} was lost; this is the best move known", lines)
        known = [result["pv"][0] for result in engine.results(lines)]
        self.assertEqual(lines[-1].split()[1], (known or [best])[-1])
        bridge.say("go depth 3")
        self.assertIn("no server at", bridge.until("bestmove")[0])

    def test_is_ready_without_a_server(self):
        bridge = self.start("--server", "127.0.0.1:1")
        self.assertIn("no server at 127.0.0.1:1", bridge.said_so_far()[0])
        bridge.say("position startpos moves f2f3 e7e5 g2g4 d8h4", "go depth 3")
        self.assertEqual(bridge.best_move(), "(none)")


if __name__ == "__main__":
    xml_unittest.main()
