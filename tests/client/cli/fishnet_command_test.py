"""`kibitz fishnet` against a stand-in for a site that has one game to analyse."""

import http.server
import json
import os
import signal
import subprocess
import tempfile
import threading

from tests.client.cli import program
from tests.suite import xml_unittest

KEY = "the-workers-key"


class Site(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answered, self.offered, self.agents = threading.Event(), False, set()
        self.answer = None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.server_port}/fishnet"

    def handle_error(self, *_):
        """Who was stopped has gone without waiting for an answer."""

    def stop(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, value=None):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refused(self):
        self.server.agents.add(self.headers["User-Agent"])
        if self.headers.get("Authorization") == f"Bearer {KEY}":
            return False
        self.reply(401, {"error": f"Unknown key {self.headers.get('Authorization')}"})
        return True

    def do_GET(self):
        if not self.refused():
            self.reply(204)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.refused():
            return
        if "/analysis/" in self.path:
            self.server.answer = json.loads(body)
            self.reply(204)
            return self.server.answered.set()
        if self.server.offered:
            return self.reply(204)
        self.server.offered = True
        self.reply(202, {"work": {"type": "analysis", "id": "w1", "nodes": {"sf16": 500, "classical": 500},
                                  "timeout": 5000},
                         "game_id": "", "position": program.START, "variant": "standard", "moves": "e2e4 e7e5",
                         "skipPositions": [0]})


class FishnetCommandTest(program.ProgramTest):
    def setUp(self):
        self.site = Site()
        self.addCleanup(self.site.stop)
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.key_file = os.path.join(folder.name, "key")

    def words(self, key):
        with open(self.key_file, "w", encoding="ascii") as file:
            file.write(key)
        return ["fishnet", "--endpoint", self.site.endpoint, "--key-file", self.key_file, "--cores", "1"]

    def test_works_until_it_is_stopped(self):
        with subprocess.Popen([program.KIBITZ, *self.words(KEY), "--json"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=program.environment()) as process:
            self.addCleanup(process.kill)
            self.assertTrue(self.site.answered.wait(program.PATIENCE))
            process.send_signal(signal.SIGTERM)
            said, logged = process.communicate(timeout=program.PATIENCE)
        self.assertEqual(process.returncode, 0, logged)
        statistics = json.loads(said)
        self.assertEqual((statistics["analyses"], statistics["positions"], statistics["skipped"]), (1, 2, 1))
        self.assertNotIn(KEY, said + logged)
        parts = self.site.answer["analysis"]
        self.assertEqual(parts[0], {"skipped": True})
        self.assertTrue(all("cp" in part["score"] for part in parts[1:]))
        self.assertEqual(self.site.answer["engine"]["name"], "Kibitz")
        [agent] = self.site.agents
        self.assertRegex(agent, r"^kibitz/\S+ \(fishnet protocol\)$")

    def test_ends_with_the_sites_words(self):
        result = self.kibitz(*self.words("nobodys-key"))
        self.assert_fails(result, 1, "does not take the key", "Unknown key")
        self.assertNotIn("nobodys-key", result.stderr)
        self.assert_fails(self.kibitz("fishnet"), 2, "--endpoint")


if __name__ == "__main__":
    xml_unittest.main()
