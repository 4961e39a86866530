"""Reflection costs no more than any other call, answers as clients expect, and can be switched off."""

import signal
import time

import grpc
from google.protobuf import descriptor_pb2

from tests.hostile import http2, measure
from tests.hostile.attacks import REFLECTION, resets, send_blocks
from tests.hostile.target import HostileTest
from tests.integration.service import PATIENCE, reflection_pb2, reflection_pb2_grpc
from tests.suite import xml_unittest

_STREAMS = 300
# How soon the server must end, and how often we try.
_PROMPT = 1
_ATTEMPTS = 3
_NOT_FOUND, _UNIMPLEMENTED = 5, 12


class ReflectionTest(HostileTest):

    def ask(self, target, *requests):
        """The answers to questions asked on one stream."""
        stub = reflection_pb2_grpc.ServerReflectionStub(target.channel)
        questions = [reflection_pb2.ServerReflectionRequest(**request) for request in requests]
        return list(stub.ServerReflectionInfo(iter(questions), timeout=PATIENCE))

    def silent_streams(self, target, count):
        """A connection with so many streams that have asked once, and so are known to have begun, and wait."""
        connection = http2.Connection(target.address)
        self.addCleanup(connection.close)
        question = http2.message(reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString())
        calls = [connection.open(REFLECTION, question) for _ in range(count)]
        answered = lambda: all(connection.streams[call].messages or connection.streams[call].ended for call in calls)
        self.assertTrue(connection.wait(answered), "not all streams were answered")
        return connection, calls

    def test_silent_streams_cost_no_threads(self):
        target = self.start("--workers", "2")
        self.ask(target, {"list_services": ""})
        threads, memory = measure.threads(target.pid), target.memory_mb()
        self.silent_streams(target, _STREAMS)
        grown = measure.threads(target.pid) - threads
        self.say(f"{_STREAMS} silent streams: {threads} threads and {grown} more, "
                 f"+{target.memory_mb() - memory:.1f} MB")
        self.assertLessEqual(grown, 2)  # gRPC's own may come
        self.assert_serves(target)

    def seconds_to_end(self, attack):
        """How long a server takes to end after an attack."""
        target = self.start("--workers", "2")
        attack(target)
        began = time.monotonic()
        target.signal(signal.SIGTERM)
        code, _ = target.wait()
        self.assertEqual(code, 0)
        return time.monotonic() - began

    def assert_ends_soon(self, attack):
        """A busy machine may be late once, but not each time."""
        seconds = []
        while not seconds or seconds[-1] > _PROMPT:
            self.assertLess(len(seconds), _ATTEMPTS, f"never within {_PROMPT} s: {seconds}")
            seconds.append(self.seconds_to_end(attack))
        self.say(f"ended {seconds[-1]:.2f} s after SIGTERM, attempt {len(seconds)}")

    def test_ends_soon_with_silent_streams_open(self):
        self.assert_ends_soon(lambda target: self.silent_streams(target, _STREAMS))

    def test_ends_soon_after_resets(self):
        def attack(target):
            with http2.Connection(target.address) as connection:
                send_blocks(connection, resets(REFLECTION, b""), seconds=2)
            self.assert_serves(target)

        self.assert_ends_soon(attack)

    def test_lists_services(self):
        (answer,) = self.ask(self.start(), {"list_services": "", "host": "somewhere"})
        names = {service.name for service in answer.list_services_response.service}
        self.assertLessEqual({"kibitz.v1.AnalysisService", "grpc.health.v1.Health",
                              "grpc.reflection.v1alpha.ServerReflection"}, names)
        self.assertEqual(answer.valid_host, "somewhere")
        self.assertEqual(answer.original_request.host, "somewhere")

    def files(self, answer):
        return [descriptor_pb2.FileDescriptorProto.FromString(content)
                for content in answer.file_descriptor_response.file_descriptor_proto]

    def test_gives_files_by_symbol_and_by_name(self):
        target = self.start()
        for question, wanted in [
            ({"file_containing_symbol": "kibitz.v1.AnalysisService"}, "kibitz/v1/analysis.proto"),
            ({"file_containing_symbol": "kibitz.v1.AnalysisService.Perft"}, "kibitz/v1/analysis.proto"),
            ({"file_containing_symbol": "kibitz.v1.AnalyzeResponse.Final"}, "kibitz/v1/analysis.proto"),
            ({"file_containing_symbol": "kibitz.v1.Position"}, "kibitz/v1/position.proto"),
            ({"file_containing_symbol": "kibitz.v1.StopReason"}, "kibitz/v1/analysis.proto"),
            ({"file_by_filename": "kibitz/v1/position.proto"}, "kibitz/v1/position.proto"),
            ({"file_by_filename": "google/protobuf/duration.proto"}, "google/protobuf/duration.proto"),
        ]:
            with self.subTest(question=question):
                (answer,) = self.ask(target, question)
                files = self.files(answer)
                self.assertEqual(files[0].name, wanted)
                # Whoever knows nothing can build all of it from one answer.
                names = {file.name for file in files}
                self.assertEqual({name for file in files for name in file.dependency} - names, set())

    def test_questions_without_an_answer(self):
        target = self.start()
        for question, code in [
            ({"file_containing_symbol": "kibitz.v1.Nothing"}, _NOT_FOUND),
            ({"file_containing_symbol": ""}, _NOT_FOUND),
            ({"file_by_filename": "no/such.proto"}, _NOT_FOUND),
            ({"file_containing_extension": {"containing_type": "kibitz.v1.Line", "extension_number": 5}}, _NOT_FOUND),
            ({"file_containing_extension": {"containing_type": "no.Such", "extension_number": 5}}, _NOT_FOUND),
            ({"all_extension_numbers_of_type": "no.Such"}, _NOT_FOUND),
            ({}, _UNIMPLEMENTED),
        ]:
            with self.subTest(question=question):
                (answer,) = self.ask(target, question)
                self.assertEqual(answer.error_response.error_code, code, answer)

    def test_extensions_of_a_type_without_any(self):
        (answer,) = self.ask(self.start(), {"all_extension_numbers_of_type": "kibitz.v1.Position"})
        self.assertEqual(answer.all_extension_numbers_response.base_type_name, "kibitz.v1.Position")
        self.assertEqual(list(answer.all_extension_numbers_response.extension_number), [])

    def test_a_stream_answers_in_order(self):
        file = {"file_by_filename": "kibitz/v1/position.proto"}
        questions = [{"list_services": ""}, {"file_by_filename": "none"}, file]
        answers = self.ask(self.start(), *(questions * 20))
        kinds = [answer.WhichOneof("message_response") for answer in answers]
        self.assertEqual(kinds, ["list_services_response", "error_response", "file_descriptor_response"] * 20)

    def test_a_message_that_is_none(self):
        target = self.start()
        with http2.Connection(target.address) as connection:
            call = connection.open(REFLECTION, http2.message(b"\xff" * 50))
            code = connection.wait_for_status(call, 5)
        self.say(f"status of a malformed message: {code}")
        self.assertNotIn(code, (None, 0))
        self.assert_serves(target)

    def test_can_be_switched_off(self):
        target = self.start("--reflection", "false")
        with self.assertRaises(grpc.RpcError) as caught:
            self.ask(target, {"list_services": ""})
        self.assertEqual(caught.exception.code(), grpc.StatusCode.UNIMPLEMENTED)
        self.assert_serves(target)


if __name__ == "__main__":
    xml_unittest.main()
