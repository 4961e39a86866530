"""The rules and the dashboard of deploy/: by Debian's promtool, and by a real Prometheus that scrapes a real server."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

import grpc

from tests.integration.certificates import Certificates
from tests.integration.keys import Keys, shown
from tests.integration.service import (PATIENCE, Server, admin_pb2, admin_pb2_grpc, analysis_pb2, analysis_pb2_grpc,
                                       position_pb2, wait_until)
from tests.suite import xml_unittest

_RUNFILES = pathlib.Path(os.environ["TEST_SRCDIR"]) / os.environ["TEST_WORKSPACE"]
_RULES = _RUNFILES / "deploy" / "prometheus" / "kibitz.rules.yml"
_CONFIGURATION = _RUNFILES / "deploy" / "prometheus" / "prometheus.yml"
_DASHBOARD = _RUNFILES / "deploy" / "grafana" / "kibitz.json"
_RULE_TESTS = _RUNFILES / "tests" / "deploy" / "rules.test.yml"
_OPERATORS = _RUNFILES / "docs" / "operators.md"

# Shown by servers with TLS only.
_ONLY_WITH_TLS = {"kibitz_certificate_expiry_timestamp_seconds"}


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def fetch(url):
    # Not by a proxy of the tester's.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=PATIENCE) as answer:
        return answer.read().decode()


def names_in(text):
    """The metrics that a text names, without what histograms add to their names."""
    found = re.findall(r"(?<![a-z_:])(?:kibitz|process)_[a-z_]+", text)
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in found}


class RulesTest(unittest.TestCase):

    def promtool(self, *arguments):
        result = subprocess.run(["promtool", *arguments], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_the_rules_are_rules(self):
        self.promtool("check", "rules", str(_RULES))

    def test_the_configuration_is_one(self):
        self.promtool("check", "config", str(_CONFIGURATION))

    def test_alerts_come_when_they_must(self):
        self.promtool("test", "rules", str(_RULE_TESTS))

    def test_a_rule_that_is_changed_is_noticed(self):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            root = pathlib.Path(folder)
            rules = root / "deploy" / "prometheus" / "kibitz.rules.yml"
            tests = root / "tests" / "deploy" / "rules.test.yml"
            for path in (rules, tests):
                path.parent.mkdir(parents=True)
            rules.write_text(_RULES.read_text().replace("kibitz_oldest_queued_seconds > 10", "vector(0) > 10"))
            shutil.copy(_RULE_TESTS, tests)
            result = subprocess.run(["promtool", "test", "rules", str(tests)], capture_output=True, timeout=PATIENCE)
        self.assertNotEqual(result.returncode, 0)

    def test_every_alert_says_what_to_do(self):
        text = _RULES.read_text()
        alerts = text.count("- alert:")
        self.assertGreater(alerts, 10)
        for part in ["runbook:", "summary:", "severity:"]:
            self.assertEqual(text.count(part), alerts, part)


class ScrapeTest(unittest.TestCase):
    """One server that has had something to do, and one Prometheus that looks at it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.metrics = f"127.0.0.1:{free_port()}"
        cls.server = Server("--metrics", cls.metrics, "--workers", "1", "--max-live", "1", "--max-queue", "0",
                            "--store", os.path.join(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")), "results.db"),
                            "--jobs", os.path.join(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")), "jobs.db"))
        cls.addClassCleanup(cls.server.stop)
        channel = grpc.insecure_channel(cls.server.address)
        cls.addClassCleanup(channel.close)
        cls._use(analysis_pb2_grpc.AnalysisServiceStub(channel))
        cls.scrape = fetch(f"http://{cls.metrics}/metrics")

    @classmethod
    def _use(cls, stub):
        """Calls of every kind: that end well, badly, are refused and cancelled."""
        stub.LegalMoves(position_pb2.LegalMovesRequest(), timeout=PATIENCE)
        endless = analysis_pb2.AnalyzeRequest(limits=analysis_pb2.Limits(infinite=True))
        first = stub.Analyze(endless, timeout=PATIENCE)
        next(first)
        with contextlib.suppress(grpc.RpcError):
            list(stub.Analyze(endless, timeout=PATIENCE))
        first.cancel()
        # Its place is free a moment later.
        depth_3 = analysis_pb2.PerftRequest(depth=3)

        def counts():
            try:
                return list(stub.Perft(depth_3, timeout=PATIENCE))[-1].total.nodes == 8902
            except grpc.RpcError:
                return False

        assert wait_until(counts)

    def value(self, series):
        found = re.search(rf"(?m)^{re.escape(series)} (\S+)$", self.scrape)
        self.assertIsNotNone(found, f"no {series} in\n{self.scrape}")
        return float(found.group(1))

    def test_calls_are_counted_by_method_and_code(self):
        legal_moves = "/kibitz.v1.AnalysisService/LegalMoves"
        self.assertEqual(self.value(f'kibitz_calls_total{{method="{legal_moves}",code="OK"}}'), 1)
        self.assertEqual(self.value(f'kibitz_call_duration_seconds_count{{method="{legal_moves}"}}'), 1)
        self.assertEqual(self.value(f'kibitz_call_duration_seconds_bucket{{method="{legal_moves}",le="+Inf"}}'), 1)

    def test_work_is_counted(self):
        self.assertGreaterEqual(self.value('kibitz_perft_nodes_total{tenant="(anonymous)"}'), 8902)
        self.assertGreater(self.value('kibitz_search_nodes_total{tenant="(anonymous)"}'), 0)
        self.assertEqual(self.value("kibitz_first_update_seconds_count"), 1)
        self.assertEqual(self.value('kibitz_ended_tasks_total{stopped_by="cancelled"}'), 1)
        self.assertEqual(self.value("kibitz_cancel_seconds_count"), 1)
        self.assertGreaterEqual(self.value('kibitz_refusals_total{reason="QUEUE_FULL",tenant="(anonymous)"}'), 1)

    def test_bounds_and_resources_are_shown(self):
        self.assertEqual(self.value("kibitz_workers"), 1)
        self.assertEqual(self.value("kibitz_max_live_tasks"), 1)
        self.assertEqual(self.value("kibitz_connections"), 1)
        self.assertEqual(self.value('kibitz_memory_max_bytes{budget="requests"}'), 4096 << 20)
        self.assertGreater(self.value("process_open_fds"), 10)
        self.assertGreater(self.value("process_resident_memory_bytes"), 1 << 20)

    def test_every_metric_of_the_rules_and_the_dashboard_exists(self):
        shown = names_in(self.scrape)
        for path in (_RULES, _DASHBOARD):
            with self.subTest(path.name):
                self.assertEqual(names_in(path.read_text()) - shown - _ONLY_WITH_TLS, set())

    def test_every_recorded_name_of_the_dashboard_and_the_alerts_is_recorded(self):
        recorded = set(re.findall(r"record: (\S+)", _RULES.read_text()))
        used = set(re.findall(r"kibitz:[a-z_0-9:]+", _RULES.read_text() + _DASHBOARD.read_text()))
        self.assertEqual(used - recorded, set())

    def test_the_page_for_operators_lists_every_metric(self):
        families = set(re.findall(r"(?m)^# TYPE ((?:kibitz|process)_\S+)", self.scrape)) | _ONLY_WITH_TLS
        text = _OPERATORS.read_text()
        # Some share a line: "`kibitz_connections_accepted_total`, `_refused_total`".
        missing = {name for name in families if f"`{name}`" not in text and f"`_{name.split('_', 2)[-1]}`" not in text}
        self.assertEqual(missing, set())

    def test_a_real_prometheus_scrapes_it_and_answers(self):
        folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        shutil.copy(_RULES, folder / "kibitz.rules.yml")
        configuration = _CONFIGURATION.read_text().replace("127.0.0.1:9464", self.metrics).replace("15s", "1s")
        (folder / "prometheus.yml").write_text(configuration)
        address = f"127.0.0.1:{free_port()}"
        prometheus = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address={address}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(prometheus.wait, PATIENCE)
        self.addCleanup(prometheus.kill)

        def ask(expression):
            query = urllib.parse.urlencode({"query": expression})
            try:
                answer = json.loads(fetch(f"http://{address}/api/v1/query?{query}"))
            except urllib.error.HTTPError as error:
                if error.code == 503:  # it still starts
                    return []
                raise AssertionError(f"{expression}: {error.read().decode()}") from error
            except OSError:  # nor does it listen yet
                return []
            return [float(sample["value"][1]) for sample in answer["data"]["result"]]

        self.assertTrue(wait_until(lambda: ask('up{job="kibitz"}') == [1]), "Prometheus does not see the server")
        self.assertEqual(ask('kibitz_workers{job="kibitz"}'), [1])
        self.assertTrue(wait_until(lambda: ask("count(kibitz:call_errors:ratio5m) or vector(0)") != []))
        # The dashboard's questions are understood, whatever the answer is.
        for panel in json.loads(_DASHBOARD.read_text())["panels"]:
            for target in panel["targets"]:
                with self.subTest(panel["title"]):
                    ask(target["expr"].replace("$instance", ".*"))
        self.server.signal()
        self.assertTrue(wait_until(lambda: ask('up{job="kibitz"}') == [0]), "Prometheus does not miss the server")


class TenantsTest(unittest.TestCase):

    def test_certificate_and_tenants_are_shown(self):
        certificates, keys = Certificates(days=30), Keys()
        self.addCleanup(certificates.close)
        self.addCleanup(keys.close)
        club, office = keys.add("club"), keys.add("office", "--role", "admin")
        metrics = f"127.0.0.1:{free_port()}"
        server = Server("--metrics", metrics, *certificates.server_flags(), *keys.flags)
        self.addCleanup(server.stop)
        channel = certificates.channel(server.address)
        self.addCleanup(channel.close)
        stub = analysis_pb2_grpc.AnalysisServiceStub(channel)
        admin = admin_pb2_grpc.AdminServiceStub(channel)

        list(stub.Perft(analysis_pb2.PerftRequest(depth=2), metadata=shown(club), timeout=PATIENCE))
        for key, code in [(None, grpc.StatusCode.UNAUTHENTICATED), (club, grpc.StatusCode.PERMISSION_DENIED)]:
            with self.assertRaises(grpc.RpcError) as refused:
                admin.GetStatus(admin_pb2.GetStatusRequest(), metadata=shown(key) if key else None, timeout=PATIENCE)
            self.assertEqual(refused.exception.code(), code)
        status = admin.GetStatus(admin_pb2.GetStatusRequest(), metadata=shown(office), timeout=PATIENCE).status
        self.assertEqual([tenant.perft_nodes for tenant in status.tenants if tenant.name == "club"], [400])

        text = fetch(f"http://{metrics}/metrics")
        self.assertIn('kibitz_perft_nodes_total{tenant="club"} 400', text)
        self.assertRegex(text, r'kibitz_refusals_total\{reason="[A-Z_]+",tenant="\(anonymous\)"\} 1')
        self.assertRegex(text, r'kibitz_refusals_total\{reason="[A-Z_]+",tenant="club"\} 1')
        expiry = float(re.search(r"(?m)^kibitz_certificate_expiry_timestamp_seconds (\S+)$", text).group(1))
        self.assertTrue(29 * 86400 < expiry - time.time() < 31 * 86400, expiry)
        for secret in [club, office]:
            self.assertNotIn(secret, text)


class PortTest(unittest.TestCase):

    def start(self, *flags, **changes):
        server = Server(*flags, **changes)
        self.addCleanup(server.stop)
        return server

    def test_a_port_that_is_taken_is_an_error_that_says_so(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            server = self.start("--metrics", str(port))
            self.assertFalse(server.listening)
            code, errors = server.wait()
        self.assertEqual(code, 1)
        self.assertIn(f"metrics: cannot listen on 127.0.0.1:{port}: port {port} is in use", errors)

    def test_text_that_is_no_address(self):
        for text in ["here", "127.0.0.1:x", "99999", ""]:
            with self.subTest(text):
                server = self.start("--metrics", text)
                self.assertFalse(server.listening)
                self.assertEqual(server.wait()[0], 2)

    def test_nothing_else_is_served(self):
        address = f"127.0.0.1:{free_port()}"
        self.start("--metrics", address)
        for path in ["", "/", "/etc/passwd", "/metrics/../..", "/%2e%2e/"]:
            with self.subTest(path), self.assertRaises(urllib.error.HTTPError):
                fetch(f"http://{address}{path}")
        self.assertIn("kibitz_build_info", fetch(f"http://{address}/metrics"))


if __name__ == "__main__":
    xml_unittest.main()
