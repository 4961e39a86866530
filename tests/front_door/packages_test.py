"""What the front door does about missing Debian packages, for those who may install them and those who may not."""

from tests.front_door import front_door
from tests.suite import xml_unittest

APT_GET = '#!/bin/bash\necho "apt-get $*" >>"$WORLD/apt.log"\n'
SUDO = '#!/bin/bash\necho "sudo $*" >>"$WORLD/sudo.log"\nif [[ $1 == -* ]]; then exit 0; fi\nexec "$@"\n'
REFUSING = "#!/bin/bash\nexit 1\n"


class PackagesTest(front_door.FrontDoorTest):
    def setUp(self):
        super().setUp()
        self.set_packages(missing="clang-19 libfmt-dev")

    def become(self, user):
        self.stub("id", f"#!/bin/bash\necho {user}\n")

    def apt_calls(self):
        log = self.world / "apt.log"
        return log.read_text().splitlines() if log.exists() else []

    def assert_says_what_to_type(self):
        result = self.door("info")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("apt-get update && apt-get install --no-install-recommends clang-19 libfmt-dev\n", result.stderr)
        self.assertEqual(self.apt_calls(), [])
        self.assertEqual(self.bazel_calls(), [])

    def assert_installs_the_missing(self):
        result = self.door("info")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("installing Debian packages: clang-19 libfmt-dev", result.stderr)
        update, install = self.apt_calls()
        self.assertIn("update", update)
        self.assertRegex(install, r"install .*--no-install-recommends .* clang-19 libfmt-dev$")

    def test_root_installs_what_is_missing(self):
        self.become(0)
        self.stub("apt-get", APT_GET)
        self.assert_installs_the_missing()

    def test_another_user_installs_by_sudo(self):
        self.become(1000)
        self.stub("apt-get", APT_GET)
        self.stub("sudo", SUDO)
        self.assert_installs_the_missing()
        self.assertIn("sudo apt-get", (self.world / "sudo.log").read_text())

    def test_a_user_without_sudo_is_told_what_to_type(self):
        self.become(1000)
        self.stub("apt-get", APT_GET)
        self.assert_says_what_to_type()

    def test_a_user_whom_sudo_refuses_is_told_what_to_type(self):
        self.become(1000)
        self.stub("apt-get", APT_GET)
        self.stub("sudo", REFUSING)
        self.assert_says_what_to_type()

    def test_a_failed_installation_shows_what_apt_said(self):
        self.become(0)
        self.stub("apt-get", '#!/bin/bash\necho "E: no such thing ($*)" >&2\nexit 100\n')
        result = self.door("info")
        self.assertEqual(result.returncode, 1)
        self.assertIn("E: no such thing", result.stderr)
        self.assertIn("could not install: clang-19 libfmt-dev", result.stderr)
        self.assertEqual(self.bazel_calls(), [])

    def test_without_apt_the_missing_packages_are_named(self):
        result = self.door("info")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no apt-get: clang-19 libfmt-dev", result.stderr)

    def test_tests_and_benchmarks_need_more_than_programs(self):
        self.become(1000)
        self.set_packages(missing="stockfish")
        self.assertEqual(self.door("info").returncode, 0)
        for command in (("test", "//..."), ("bench", "perft")):
            result = self.door(*command)
            self.assertEqual(result.returncode, 1)
            self.assertIn("stockfish", result.stderr)


if __name__ == "__main__":
    xml_unittest.main()
