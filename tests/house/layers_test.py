"""Tests of layers, on made-up trees: what it must find, and what it must let pass."""

import os
import pathlib
import tempfile
import unittest

from tests.house import layers
from tests.suite import xml_unittest

LIST = """# A list.
grpc = grpc/* grpcpp/* *.grpc.pb.h
proto = kibitz/v1/*

engine/attacks : engine/types.h
engine         : engine/attacks
server/errors  :
server         : server/errors engine
                 proto
client         : server/server.h proto grpc
"""


class LayersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write(layers.LIST, LIST)
        self.write("README.md", "# Made up\n\n" + layers.picture(LIST) + "\n\nMore.\n")
        self.include("engine/types.h", "<vector>")
        self.include("engine/attacks/attacks.h", '"engine/types.h"')
        self.include("engine/engine.h", '"engine/types.h"', '"engine/attacks/attacks.h"', '"absl/status/status.h"')
        self.include("server/errors/errors.h", "<string>")
        self.include("server/server.h", '"engine/engine.h"', '"server/errors/errors.h"', '"kibitz/v1/analysis.pb.h"')
        self.include("client/client.h", '"server/server.h"', "<grpcpp/channel.h>", '"kibitz/v1/analysis.grpc.pb.h"')
        self.include("tests/client_test.cc", '"client/client.h"', '"engine/attacks/attacks.h"')

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def include(self, path, *headers):
        self.write(path, "// A file.\n\n" + "".join(f"#include {header}\n" for header in headers))

    def problems(self):
        return layers.check_tree(self.root)

    def test_a_tree_that_keeps_to_its_list_is_fine(self):
        self.assertEqual(self.problems(), [])

    def test_finds_a_lower_folder_that_uses_a_higher_one(self):
        self.include("engine/clock.h", '"server/server.h"')
        self.assertEqual(
            self.problems(), ["engine/clock.h includes server/server.h: engine may not use server"]
        )

    def test_finds_includes_in_sources_and_with_odd_blanks(self):
        self.write("engine/clock.cc", '  #  include   "server/errors/errors.h"  // why\n')
        self.assertEqual(len(self.problems()), 1)

    def test_a_comment_is_no_include(self):
        self.write("engine/clock.cc", '// #include "server/errors/errors.h"\n')
        self.assertEqual(self.problems(), [])

    def test_finds_a_library_in_a_folder_that_may_not_use_it(self):
        self.include("engine/clock.cc", "<grpcpp/alarm.h>")
        self.include("server/wire.cc", '"kibitz/v1/analysis.grpc.pb.h"')
        self.assertEqual(self.problems(), [
            "engine/clock.cc includes grpcpp/alarm.h: engine may not use grpc",
            "server/wire.cc includes kibitz/v1/analysis.grpc.pb.h: server may not use grpc",
        ])

    def test_a_single_file_opens_no_folder(self):
        self.include("server/options.h")
        self.include("client/link.h", '"server/options.h"')
        self.assertEqual(self.problems(), ["client/link.h includes server/options.h: client may not use server"])

    def test_a_folder_opens_no_folder_in_it(self):
        self.include("server/main.cc", '"engine/attacks/attacks.h"')
        self.assertEqual(len(self.problems()), 1)

    def test_nothing_may_use_the_tests(self):
        self.include("client/fake.h", '"tests/fake.h"')
        self.assertEqual(self.problems(), ["client/fake.h includes tests/fake.h: client may not use tests"])

    def test_finds_a_folder_that_the_list_does_not_name(self):
        self.include("server/cellar/wine.h")
        self.assertEqual(self.problems(), [f"{layers.LIST}: does not name the folder server/cellar"])

    def test_finds_a_folder_that_only_the_list_knows(self):
        (self.root / "server/errors/errors.h").unlink()
        self.include("server/server.h")
        self.assertEqual(self.problems(), [f"{layers.LIST}: names the folder server/errors, where no C++ is"])

    def test_finds_a_cycle_of_files(self):
        self.include("engine/a.h", '"engine/b.h"')
        self.include("engine/b.h", '"engine/c.h"', '"engine/types.h"')
        self.include("engine/c.h", '"a.h"')
        self.assertEqual(self.problems(), ["a cycle: engine/a.h -> engine/b.h -> engine/c.h -> engine/a.h"])

    def test_finds_a_file_that_includes_itself(self):
        self.include("engine/a.h", '"engine/a.h"')
        self.assertEqual(self.problems(), ["a cycle: engine/a.h -> engine/a.h"])

    def test_finds_a_cycle_among_the_tests_too(self):
        self.include("tests/a.h", '"tests/b.h"')
        self.include("tests/b.h", '"tests/a.h"')
        self.assertEqual(self.problems(), ["a cycle: tests/a.h -> tests/b.h -> tests/a.h"])

    def test_two_ways_to_a_file_are_no_cycle(self):
        self.include("engine/a.h", '"engine/b.h"', '"engine/c.h"')
        self.include("engine/b.h", '"engine/types.h"')
        self.include("engine/c.h", '"engine/types.h"', '"engine/b.h"')
        self.assertEqual(self.problems(), [])

    def test_installed_packages_are_not_looked_at(self):
        self.include("client/web/node_modules/tool/tool.h", '"server/server.h"')
        self.assertEqual(self.problems(), [])

    def test_the_list_must_have_the_lowest_first(self):
        found = layers.Layers("engine : server\nserver :\n").problems
        self.assertEqual(found, [f"{layers.LIST}: engine uses server, which does not stand above it"])

    def test_the_list_must_be_readable(self):
        for line in ("engine board", "engine : a.h\nengine : b.h"):
            self.assertEqual(len(layers.Layers(line).problems), 1, line)

    def test_the_picture_has_what_is_used_before_what_uses_it(self):
        lines = layers.picture(LIST).splitlines()
        self.assertEqual(lines[2:-2], ["engine  attacks  <  engine", "server  errors  <  server", "client  client"])

    def test_a_readme_without_the_picture_is_found(self):
        self.write("README.md", "# Made up\n")
        self.assertIn("must have the marks", self.problems()[0])

    def test_a_picture_that_drifted_is_found_and_written_anew(self):
        self.write(layers.LIST, LIST + "client/cli : client\n")
        self.include("client/cli/main.cc", '"client/client.h"')
        self.assertIn("its picture is not", self.problems()[0])
        text = (self.root / layers.LIST).read_text()
        readme = layers.write_readme((self.root / "README.md").read_text(), text)
        self.write("README.md", readme)
        self.assertEqual(self.problems(), [])
        self.assertTrue(readme.startswith("# Made up\n") and readme.endswith("\n\nMore.\n"))

    def test_a_picture_cannot_be_written_without_marks(self):
        with self.assertRaises(ValueError):
            layers.write_readme("# Made up\n", LIST)


class OurListTest(unittest.TestCase):
    """What no edit of the list may give up."""

    def setUp(self):
        self.layers = layers.Layers(pathlib.Path(layers.LIST).read_text())

    def test_is_in_order(self):
        self.assertEqual(self.layers.problems, [])

    def test_chess_knows_no_wire(self):
        # The tools of tuning, on which nothing depends, may start other engines.
        besides = {"engine/tuning": {"client/match/engine_process.h"}}
        for folder, uses in self.layers.allowed.items():
            if folder.split("/")[0] == "engine":
                others = {used for used in uses if not used.startswith("engine")}
                self.assertEqual(others, besides.get(folder, set()), folder)

    def test_nothing_depends_on_tuning(self):
        for folder, uses in self.layers.allowed.items():
            self.assertFalse([used for used in uses if used.startswith("engine/tuning")], folder)

    def test_grpc_stays_at_the_edge(self):
        for folder in ("errors", "conversion", "scheduler", "analysis"):
            self.assertNotIn("grpc", self.layers.allowed[f"server/{folder}"])

    def test_the_scheduler_knows_no_chess(self):
        self.assertEqual(self.layers.allowed["server/scheduler"], ["server/errors", "server/tenant", "server/measure"])

    def test_clients_reach_the_search_by_the_service_only(self):
        for folder, uses in self.layers.allowed.items():
            if folder.split("/")[0] == "client":
                self.assertFalse({"engine", "engine/search", "engine/eval", "server"} & set(uses), folder)


if __name__ == "__main__":
    xml_unittest.main()
