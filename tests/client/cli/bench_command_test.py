"""`kibitz bench`, the engine's signature: the same nodes wherever and however often it runs."""

from tests.client.cli import program
from tests.suite import xml_unittest

# Of depth 9. A change of the search or the evaluation changes it, and belongs into the same commit as its new value.
SIGNATURE = 279580


class BenchCases:
    def test_searches_the_nodes_of_the_signature(self):
        for _ in range(2):
            [figures] = self.objects("bench", "--depth", "9")
            self.assertEqual(figures["nodes"], SIGNATURE)

    def test_ends_with_nodes_and_speed(self):
        lines = self.output("bench", "--depth", "4").splitlines()
        self.assertRegex(lines[-2], r"^Nodes searched: [1-9][0-9]*$")
        self.assertRegex(lines[-1], r"^Nodes/second: [1-9][0-9]*$")


class EmbeddedBenchTest(BenchCases, program.ProgramTest):
    pass


class ServedBenchTest(BenchCases, program.Served, program.ProgramTest):
    pass


if __name__ == "__main__":
    xml_unittest.main()
