"""Webhooks: owners are told that their jobs are over, so that they can be sure of who tells them."""

import hashlib
import hmac
import http.server
import json
import pathlib
import tempfile
import threading
import time
import unittest

from tests.integration import jobs
from tests.integration.jobs import JobServer, failure
from tests.integration.service import Server, wait_until
from tests.suite import xml_unittest

_SECRET = "a-secret-of-some-length"


def is_genuine(secret, header, body, now, tolerance=300):
    """What a receiver does, as docs/sites.md has it."""
    fields = dict(field.split("=", 1) for field in header.split(","))
    if abs(now - int(fields["t"])) > tolerance:
        return False
    wanted = hmac.new(secret.encode(), fields["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(wanted, fields["v1"])


class Receiver(http.server.ThreadingHTTPServer):
    """Answers with these numbers, the last one again and again."""

    def __init__(self, *answers):
        receiver = self
        self.answers = list(answers)
        self.heard = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.heard.append((self.path, dict(self.headers), body))
                answer = receiver.answers[0] if len(receiver.answers) == 1 else receiver.answers.pop(0)
                self.send_response(answer)
                if answer == 302:
                    self.send_header("Location", f"http://127.0.0.1:{receiver.server_port}/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/done?shop=1"

    def close(self):
        self.shutdown()
        self.server_close()


class WebhooksTest(unittest.TestCase):

    def serve(self, *receivers):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        secrets = pathlib.Path(folder.name) / "secrets"
        secrets.write_text(f"# of callers without a name\n- {_SECRET}\n")
        hosts = ",".join(f"http://127.0.0.1:{receiver.server_port}" for receiver in receivers)
        server = JobServer("--webhook-hosts", hosts, "--webhook-secrets", str(secrets), "--webhook-pause-ms", "50")
        self.addCleanup(server.close)
        return server

    def receiver(self, *answers):
        receiver = Receiver(*answers)
        self.addCleanup(receiver.close)
        return receiver

    def test_tells_who_wants_to_be_told(self):
        receiver = self.receiver(204)
        server = self.serve(receiver)
        job, _ = server.answer(server.submit(jobs.batch(count=3, webhook_url=receiver.url), "mine"))
        self.assertTrue(wait_until(lambda: receiver.heard))
        path, headers, body = receiver.heard[0]
        self.assertEqual((path, headers["Content-Type"]), ("/done?shop=1", "application/json"))
        signature = headers["X-Kibitz-Signature"]
        self.assertTrue(is_genuine(_SECRET, signature, body, time.time()))
        self.assertFalse(is_genuine(_SECRET, signature, body + b" ", time.time()))
        self.assertFalse(is_genuine("another secret, as long", signature, body, time.time()))
        self.assertFalse(is_genuine(_SECRET, signature, body, time.time() + 400))
        told = json.loads(body)
        self.assertEqual((told["id"], told["clientId"], told["state"]), (job.id, "mine", "JOB_STATE_DONE"))

    def test_tells_again_until_it_is_heard(self):
        receiver = self.receiver(500, 302, 200)
        server = self.serve(receiver)
        server.answer(server.submit(jobs.batch(count=2, webhook_url=receiver.url)))
        self.assertTrue(wait_until(lambda: len(receiver.heard) == 3))
        self.assertEqual({path for path, _, _ in receiver.heard}, {"/done?shop=1"})
        self.assertEqual(len({body for _, _, body in receiver.heard}), 1)

    def test_tells_after_a_kill(self):
        receiver = self.receiver(500, 200)
        server = self.serve(receiver)
        server.flags[server.flags.index("--webhook-pause-ms") + 1] = "3000"
        server.kill()
        server.start()
        server.answer(server.submit(jobs.batch(count=2, webhook_url=receiver.url)))
        self.assertTrue(wait_until(lambda: len(receiver.heard) == 1))
        server.kill()
        server.start()
        self.assertTrue(wait_until(lambda: len(receiver.heard) == 2))

    def test_tells_nobody_else(self):
        receiver = self.receiver(200)
        server = self.serve(receiver)
        port = receiver.server_port
        for url, reason in ((f"http://localhost:{port}/", "HOST_NOT_ALLOWED"),
                            (f"https://127.0.0.1:{port}/", "HOST_NOT_ALLOWED"),
                            ("http://127.0.0.1/", "HOST_NOT_ALLOWED"),
                            (f"http://me:word@127.0.0.1:{port}/", "INVALID_URL"),
                            ("file:///etc/passwd", "INVALID_URL"), ("no url", "INVALID_URL")):
            details = failure(lambda url=url: server.submit(jobs.batch(webhook_url=url)))
            self.assertEqual((details.field, details.reason), ("job.webhook_url", reason), url)

    def test_says_what_is_wrong_with_its_rules(self):
        with tempfile.TemporaryDirectory() as folder:
            secrets = pathlib.Path(folder) / "secrets"
            secrets.write_text("site short\n")
            for hosts, more, words in (("example.org", (), "--webhook-secrets"), ("no host", (str(secrets),), "no host"),
                                       ("example.org", (str(secrets),), "line 1: the secret has less than 16")):
                server = Server("--jobs", f"{folder}/jobs.db", "--webhook-hosts", hosts,
                                *(("--webhook-secrets", *more) if more else ()))
                self.assertFalse(server.listening)
                self.assertIn(words, server.wait()[1])


if __name__ == "__main__":
    xml_unittest.main()
