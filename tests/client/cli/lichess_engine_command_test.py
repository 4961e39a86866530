"""`kibitz lichess engine` against a stand-in that knows one user and one board."""

import http.server
import json
import os
import signal
import stat
import subprocess
import tempfile
import threading

from tests.client.cli import program
from tests.suite import xml_unittest

TOKEN = "a-token-of-the-user"
WORK = "/api/external-engine/work"


class StandIn(http.server.ThreadingHTTPServer):
    """Lichess and its broker: keeps what it is told, and has one offer."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.engines, self.answered, self.offered = {}, threading.Event(), False
        self.answer = self.secret = ""
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_):
        """Who was stopped has gone without waiting for an answer."""

    def stop(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        whole = b""
        while size := int(self.rfile.readline(), 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return whole

    def reply(self, status, value=None):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.reply(401, {"error": f"No such token: {self.headers.get('Authorization')}"})
        self.reply(200, list(self.server.engines.values()))

    def do_DELETE(self):
        del self.server.engines[self.path.rsplit("/", 1)[1]]
        self.reply(200, {"ok": True})

    def do_POST(self):
        body = self.body()
        server = self.server
        if self.path == WORK:
            secret = json.loads(body)["providerSecret"]
            if server.offered or secret != server.secret:
                return self.reply(204)
            server.offered = True
            return self.reply(200, {"id": "job1", "work": {
                "sessionId": "s", "threads": 1, "hash": 16, "multiPv": 2, "variant": "chess", "depth": 5,
                "initialFen": program.START, "moves": ["e2e4"]}})
        if self.path.startswith(WORK):
            server.answer = body.decode()
            self.reply(200)
            return server.answered.set()
        engine = json.loads(body)
        server.secret = engine.pop("providerSecret")
        engine["id"] = "eei_1"
        server.engines["eei_1"] = engine
        self.reply(200, engine)


class LichessEngineCommandTest(program.ProgramTest):
    def setUp(self):
        self.lichess = StandIn()
        self.addCleanup(self.lichess.stop)
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.secret_file = os.path.join(folder.name, "kibitz", "secret")
        self.token_file = os.path.join(folder.name, "token")
        self.write_token(TOKEN)

    def write_token(self, token):
        with open(self.token_file, "w", encoding="ascii") as file:
            file.write(token)

    def words(self, broker=None):
        return ["lichess", "engine", "--url", self.lichess.url, "--broker", broker or self.lichess.url, "--token-file",
                self.token_file, "--secret-file", self.secret_file]

    def test_serves_a_board_until_it_is_stopped(self):
        with subprocess.Popen([program.KIBITZ, *self.words(), "--max-hash", "16", "--max-threads", "1"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=program.environment()) as process:
            self.addCleanup(process.kill)
            self.assertTrue(self.lichess.answered.wait(program.PATIENCE))
            process.send_signal(signal.SIGTERM)
            said, logged = process.communicate(timeout=program.PATIENCE)
        self.assertEqual((process.returncode, said), (0, "served 1 analyses, 0 failed\n"), logged)
        self.assertRegex(self.lichess.answer, r"info depth 5 .*multipv 2 .*\nbestmove [a-h]\d[a-h]\d")
        self.assertNotIn("wdl", self.lichess.answer)
        engine = self.lichess.engines["eei_1"]
        self.assertEqual((engine["name"], engine["maxHash"], engine["maxThreads"]), ("Kibitz", 16, 1))
        self.assertEqual(stat.S_IMODE(os.stat(self.secret_file).st_mode), 0o600)
        for secret in (TOKEN, self.lichess.secret):
            self.assertNotIn(secret, said + logged)

    def test_takes_the_engine_away(self):
        self.lichess.engines["eei_1"] = {"id": "eei_1", "name": "Kibitz"}
        self.assertIn("deleted", self.output(*self.words(), "--delete"))
        self.assertIn("no engine", self.output(*self.words(), "--delete"))

    def test_says_what_is_wrong(self):
        self.assert_fails(self.kibitz("lichess", "engine"), 2, "--token-file", "engine:read")
        self.write_token("another-token")
        result = self.kibitz(*self.words(), "--delete")
        self.assert_fails(result, 1, "is the token still valid?")
        self.assertNotIn("another-token", result.stderr)
        self.write_token(TOKEN)
        self.assert_fails(self.kibitz(*self.words("http://192.0.2.1")), 1, "in plaintext")


if __name__ == "__main__":
    xml_unittest.main()
