"""The short form of `./kibitz test farm`, and what `./kibitz farm` does besides."""

import pathlib
import tempfile
import unittest

import grpc

from deploy.farm import processes
from deploy.farm.farm import Farm, FarmError, Plan
from tests.farm import trial
from tests.integration.service import KIBITZD, PATIENCE, analysis_pb2, analysis_pb2_grpc, wait_until
from tests.suite import xml_unittest


class FarmTest(unittest.TestCase):

    def test_loses_nothing_whatever_dies(self):
        said = []
        trial.run(trial.parse(["--nodes", "2", "--nats", "1", "--jobs", "4", "--positions", "24"]), said.append)
        self.assertEqual(len(said), 1 + len(trial.Trial.FAULTS))

    def test_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            farm = Farm(pathlib.Path(folder) / "farm")
            farm.up(Plan(kibitzd=KIBITZD, nodes=1, workers=1, hash_mb=1))
            records = list(farm.processes)
            self.assertEqual({each["kind"] for each in records}, {"nats", "node", "front", "prometheus"})
            self.assertTrue(all(processes.is_alive(each) for each in records))
            again = Farm(farm.folder)
            self.assertEqual(again.processes, records)
            with self.assertRaisesRegex(FarmError, "a farm is up"):
                again.up(Plan(kibitzd=KIBITZD))
            again.down()
            self.assertFalse(any(processes.is_alive(each) for each in records))
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_shares_what_its_nodes_find(self):
        with tempfile.TemporaryDirectory() as folder:
            farm = Farm(pathlib.Path(folder) / "farm")
            farm.up(Plan(kibitzd=KIBITZD, nodes=2, workers=1, hash_mb=1, prometheus=False))
            self.addCleanup(farm.down)
            request = analysis_pb2.AnalyzeRequest(position={"moves": ["e2e4", "c7c5"]}, limits={"depth": 9})
            first, second = map(farm.address, farm.named("node"))
            found = self.final(first, request)
            self.assertEqual(found.provenance.source, analysis_pb2.Provenance.SOURCE_FRESH)
            request.cache.policy = analysis_pb2.Cache.POLICY_ONLY
            answers = []

            def is_there():
                try:
                    answers.append(self.final(second, request))
                except grpc.RpcError as error:
                    self.assertEqual(error.code(), grpc.StatusCode.NOT_FOUND)
                return answers

            self.assertTrue(wait_until(is_there))
            self.assertEqual(answers[0].provenance.source, analysis_pb2.Provenance.SOURCE_STORED)
            self.assertEqual(answers[0].best_move, found.best_move)
            self.assertEqual(answers[0].result.nodes, found.result.nodes)

    @staticmethod
    def final(address, request):
        with grpc.insecure_channel(address) as channel:
            events = analysis_pb2_grpc.AnalysisServiceStub(channel).Analyze(request, timeout=PATIENCE)
            return list(events)[-1].final

    def test_says_what_does_not_start(self):
        with tempfile.TemporaryDirectory() as folder:
            farm = Farm(pathlib.Path(folder) / "farm")
            with self.assertRaisesRegex(FarmError, "node-1 does not start"):
                farm.up(Plan(kibitzd="/bin/false", nodes=1, prometheus=False))
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])


if __name__ == "__main__":
    xml_unittest.main()
