"""Test cases out of attacks: what an attack may do to a server, and to an honest client beside it."""

from tests.hostile.target import HostileTest
from tests.hostile.trial import try_attack

# How soon honest callers must be answered, and how often we try: a busy machine may be late once, but not each time.
_WORST_LATENCY = 2  # seconds
_ATTEMPTS = 5
# gRPC has an answer in memory for each ping of a flood until the connection is cut off: that takes most.
_PEAK_MB = 400


class FloodTest(HostileTest):

    def check(self, target, attack, seconds, max_peak_mb=_PEAK_MB, **where):
        """Attacks, and checks what that did to others."""
        worst = []
        while not worst or worst[-1] > _WORST_LATENCY:
            self.assertLess(len(worst), _ATTEMPTS, f"honest clients never served within {_WORST_LATENCY} s: {worst}")
            figures = try_attack(target, attack, seconds, **where)
            self.assertIsNotNone(figures, f"the server has ended: {target.log()[-2000:]}")
            self.say(figures)
            self.assertEqual(figures.failures, [], "honest calls failed")
            self.assertLess(figures.peak.memory_mb, max_peak_mb)
            self.assertTrue(figures.is_back, f"what remains: {figures.remains}")
            worst.append(figures.percentile(1))
        self.await_live(target, 0)
        self.assert_serves(target)


def add_cases(attacks, check):
    """A decorator: gives a class a case for each of the attacks, which calls `check(case, attack)`."""

    def add(test_class):
        for attack in attacks:
            name = "".join(letter if letter.isalnum() else "_" for letter in attack.name.lower())
            setattr(test_class, f"test_{name}", lambda case, attack=attack: check(case, attack))
        return test_class

    return add
