"""Short floods of frames that cost their sender nothing."""

from tests.hostile.attacks import FLOODS
from tests.hostile.flood import FloodTest, add_cases
from tests.suite import xml_unittest

_SECONDS = 2


@add_cases(FLOODS, lambda case, attack: case.check(case.start("--workers", "2"), attack, _SECONDS))
class FloodsTest(FloodTest):
    pass


if __name__ == "__main__":
    xml_unittest.main()
