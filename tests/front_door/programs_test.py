"""When the front door builds, when it does not, and that a program once built stays as it is."""

import os
import pathlib
import shutil

from tests.front_door import front_door
from tests.suite import xml_unittest


class ProgramsTest(front_door.FrontDoorTest):
    def run_info(self, **environment):
        """Runs the client; returns its path and what it says."""
        result = self.door("info", **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        path, words = result.stdout.splitlines()
        return pathlib.Path(path), words

    def assert_builds(self, expected, action):
        before = len(self.bazel_calls())
        action()
        self.assertEqual(len(self.bazel_calls()) - before, expected)

    def test_starts_without_bazel_when_nothing_changed(self):
        self.assert_builds(1, self.run_info)
        self.assert_builds(0, self.run_info)

    def test_says_nothing_when_nothing_changed(self):
        self.run_info()
        self.assertEqual(self.door("info").stderr, "")

    def test_builds_after_an_edit_that_keeps_size_and_time(self):
        self.run_info()
        self.edit_unseen()
        self.assertEqual(self.run_info()[1], "kibitz two info")

    def edit_unseen(self):
        """Edits a source so that its size and its time of writing stay the same."""
        source = self.tree / "engine" / "source"
        times = source.stat().st_atime_ns, source.stat().st_mtime_ns
        source.write_text("two")
        os.utime(source, ns=times)

    def set_recent(self, age):
        """Sets how old a change must be to be no longer recent for the door, which otherwise waits for two seconds."""
        self.stub("find", f'#!/bin/bash\nexec {shutil.which("find")} "${{@/#2 seconds ago/{age}}}"\n')

    def settle(self):
        """Has the door read the sources and trust their looks from now on."""
        self.set_recent("now")
        self.run_info()
        self.assertTrue(self.glances())

    def glances(self):
        return list(self.home.glob(".cache/kibitz/glances/*"))

    def test_reads_no_source_again_that_looks_the_same(self):
        self.settle()
        self.stub("xargs", "#!/bin/bash\nexit 1\n")  # nothing can be read
        self.assert_builds(0, self.run_info)
        self.write("tree/engine/source", "two")
        self.assertEqual(self.run_info()[1], "kibitz two info")

    def test_sees_an_edit_of_what_it_trusts_though_size_and_time_are_kept(self):
        self.settle()
        self.edit_unseen()
        self.assertEqual(self.run_info()[1], "kibitz two info")

    def test_sees_another_library_though_it_trusts_the_sources(self):
        self.settle()
        self.set_packages(version="2.0")
        self.assert_builds(2, self.run_info)

    def test_trusts_no_looks_of_what_was_just_written(self):
        self.set_recent("1 day ago")
        self.run_info()
        self.assertFalse(self.glances())

    def test_trusts_no_looks_of_what_changes_while_it_is_read(self):
        self.set_recent("now")
        self.stub("xargs", f'#!/bin/bash\necho two >engine/source\nexec {shutil.which("xargs")} "$@"\n')
        self.run_info()
        self.assertFalse(self.glances())

    def test_builds_after_a_file_was_added_renamed_or_removed(self):
        extra, renamed = self.tree / "engine" / "extra", self.tree / "engine" / "renamed"
        self.run_info()
        extra.write_text("")
        self.assert_builds(1, self.run_info)
        extra.rename(renamed)
        self.assert_builds(1, self.run_info)
        (self.tree / "engine" / "source").rename(self.tree / "engine" / "source.old")
        (self.tree / "engine" / "source.old").rename(self.tree / "engine" / "source")
        self.assert_builds(0, self.run_info)

    def test_goes_back_to_an_earlier_state_without_bazel(self):
        self.run_info()
        self.write("tree/engine/source", "two")
        self.run_info()
        self.write("tree/engine/source", "one")
        self.assert_builds(0, lambda: self.assertEqual(self.run_info()[1], "kibitz one info"))

    def test_rebuilds_benchmarks_but_not_programs_after_a_change_of_tests(self):
        self.run_info()
        self.door("bench", "perft")
        self.write("tree/tests/bench/perft.cc", "")
        self.assert_builds(0, self.run_info)
        self.assert_builds(1, lambda: self.door("bench", "perft"))

    def test_a_later_build_leaves_an_earlier_program_alone(self):
        program, _ = self.run_info()
        contents, inode = program.read_text(), program.stat().st_ino
        self.write("tree/engine/source", "two")
        later, _ = self.run_info()
        self.assertNotEqual(program, later)
        self.assertEqual((program.read_text(), program.stat().st_ino), (contents, inode))

    def test_an_edit_during_the_build_is_not_taken_for_built(self):
        self.write("while_building", "echo two >engine/source")
        self.assertEqual(self.run_info()[1], "kibitz one info")
        (self.world / "while_building").unlink()
        self.assertEqual(self.run_info()[1], "kibitz two info")
        self.write("tree/engine/source", "one")
        self.assert_builds(1, self.run_info)

    def test_a_failed_build_shows_the_errors_and_runs_nothing(self):
        self.run_info()
        self.write("tree/engine/source", "broken")
        result = self.door("info")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("engine/source: error", result.stderr)
        self.assertIn("kibitz was not built", result.stderr)

    def test_builds_everything_again_with_another_library(self):
        self.run_info()
        self.set_packages(version="2.0")
        self.assert_builds(2, self.run_info)
        self.assertTrue(self.bazel_calls()[-2].startswith("clean"))
        self.write("tree/engine/source", "two")
        self.assert_builds(1, self.run_info)

    def test_builds_everything_again_where_nobody_knows_what_the_last_build_was_for(self):
        (self.world / "base" / "external" / "local_config_cc").mkdir(parents=True)
        self.assert_builds(2, self.run_info)
        self.assertTrue(self.bazel_calls()[-2].startswith("clean"))

    def test_keeps_only_the_programs_used_last(self):
        programs = self.home / ".cache" / "kibitz" / "programs"
        first, _ = self.run_info()
        for number in range(10):
            self.write("tree/engine/source", str(number))
            self.run_info()
            self.write("tree/engine/source", "one")
            self.run_info()
        self.assertTrue(first.exists())
        self.assertLessEqual(len(list(programs.iterdir())), 9)

    def test_follows_the_cache_folder_of_the_user(self):
        program, _ = self.run_info(XDG_CACHE_HOME=str(self.world / "cache"))
        self.assertIn(self.world / "cache" / "kibitz", program.parents)

    def test_works_without_a_usable_home(self):
        for home in (None, "/proc/nowhere"):
            program, _ = self.run_info(HOME=home, TMPDIR=str(self.world))
            self.assertIn(self.world / f"kibitz-{os.getuid()}", program.parents)
            self.assertIn(f"--output_user_root={self.world}", self.bazel_calls()[-1])


if __name__ == "__main__":
    xml_unittest.main()
