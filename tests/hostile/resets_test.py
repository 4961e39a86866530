"""Streams that begin and are reset at once: cheap to send, and each of them a call to the server."""

from tests.hostile.attacks import RESETS
from tests.hostile.flood import FloodTest, add_cases
from tests.suite import xml_unittest

_SECONDS = 3


@add_cases(RESETS, lambda case, attack: case.check(case.start("--workers", "2"), attack, _SECONDS))
class ResetsTest(FloodTest):
    pass


if __name__ == "__main__":
    xml_unittest.main()
