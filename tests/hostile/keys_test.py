"""Guessing keys: told to wait, without a cost to the others or to the server's memory."""

import time

import grpc

from tests.hostile import measure
from tests.hostile.target import HostileTest, new_channel
from tests.integration.keys import Keys, shown
from tests.integration.service import PATIENCE, Details, analysis_pb2_grpc, position_pb2
from tests.suite import xml_unittest

_GUESSES = 3000
_ALLOWED = 20  # in a minute


class KeysTest(HostileTest):

    def test_guessing(self):
        keys = Keys()
        self.addCleanup(keys.close)
        used, unused = keys.add("honest"), keys.add("other")
        target = self.start(*keys.flags)
        stub = lambda channel: analysis_pb2_grpc.AnalysisServiceStub(channel).LegalMoves
        request = position_pb2.LegalMovesRequest()
        with new_channel(target.address) as honest, new_channel(target.address) as attacker:
            stub(honest)(request, timeout=PATIENCE, metadata=shown(used))
            before, begin = target.memory_mb(), time.monotonic()
            guesses = []
            for number in range(_GUESSES):
                guess = f"kbz_{'a' * 8}_{'a' * 48}" + "".join("abcdefgh"[number >> 3 * digit & 7] for digit in range(4))
                guesses.append(stub(attacker).future(request, timeout=PATIENCE, metadata=shown(guess)))
            latencies = []
            for _ in range(50):
                start = time.monotonic()
                stub(honest)(request, timeout=PATIENCE, metadata=shown(used))
                latencies.append(time.monotonic() - start)
            faults = [Details(guess.exception()) for guess in guesses]
            seconds = time.monotonic() - begin
            # Right, though it comes from where the guesses came from.
            stub(attacker)(request, timeout=PATIENCE, metadata=shown(unused))
        told = [fault.reason for fault in faults]
        # Calls that come at the same moment may pass together.
        self.assertLessEqual(told.count("UNKNOWN_KEY"), _ALLOWED + 20)
        self.assertEqual(told.count("UNKNOWN_KEY") + told.count("TOO_MANY_WRONG_KEYS"), _GUESSES)
        for fault in faults:
            if fault.reason == "TOO_MANY_WRONG_KEYS":
                self.assertEqual(fault.code, grpc.StatusCode.RESOURCE_EXHAUSTED)
                self.assertTrue(0 < fault.retry_seconds <= 60, fault.retry_seconds)
        self.say(f"{_GUESSES / seconds:.0f} guesses a second, {told.count('UNKNOWN_KEY')} told so; honest client at worst "
                 f"{max(latencies) * 1000:.0f} ms; memory {before:.0f} MB, then {target.memory_mb():.0f} MB, "
                 f"{measure.threads(target.pid)} threads")
        self.assertLess(target.memory_mb(), before + 100)


if __name__ == "__main__":
    xml_unittest.main()
