"""The Debian package, installed into a fresh Debian. Run by `./kibitz test package`, as root.

KIBITZ_PACKAGE is the package's path.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from tests.package import programs
from tests.suite import xml_unittest

PACKAGE = os.environ["KIBITZ_PACKAGE"]
SIGNATURE_FILE = pathlib.Path(__file__).parents[1] / "client" / "cli" / "bench_command_test.py"
VARIANTS = ("x86-64-v2", "x86-64-v3", "x86-64-v3-magic")
UNIT = "lib/systemd/system/kibitzd.service"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=programs.PATIENCE, check=True).stdout


def runs_here(variant):
    flags = re.search(r"^flags.*$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)[0].split()
    return variant == "x86-64-v2" or {"avx2", "bmi2"} <= set(flags)


class PackageTest(unittest.TestCase):
    def test_lintian_finds_no_errors(self):
        result = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", PACKAGE], capture_output=True,
                                text=True, timeout=programs.PATIENCE, check=False)
        print(result.stdout)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_depends_on_libraries_by_their_packages(self):
        depends = run("dpkg-deb", "--field", PACKAGE, "Depends")
        for library in ("libgrpc++1.51", "libc6", "libprotobuf32"):
            self.assertIn(library, depends)


class InstalledTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="kibitz-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.path = cls.folder / "root"
        package = cls.folder / "kibitz.deb"
        shutil.copy(PACKAGE, package)
        result = subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=apt", f"--customize-hook=copy-in {package} /tmp",
             '--customize-hook=chroot "$1" apt-get install --yes --no-install-recommends /tmp/kibitz.deb', "bookworm",
             cls.path], check=False, timeout=600, capture_output=True, text=True)
        if result.returncode != 0:
            raise RuntimeError(result.stdout + result.stderr)
        cls.root = programs.Root("chroot", cls.path)
        cls.as_kibitz = ("chroot", "--userspec=kibitz:kibitz", str(cls.path))

    def test_makes_a_user_without_a_shell_and_a_folder_that_is_its_own(self):
        self.assertRegex((self.path / "etc" / "passwd").read_text(), r"(?m)^kibitz:.*:/var/lib/kibitz:/usr/sbin/nologin$")
        self.assertEqual(self.root.output("stat", "-c", "%U %a", "/var/lib/kibitz"), "kibitz 750\n")

    def test_keeps_the_configuration_that_an_operator_changed(self):
        self.assertIn("/etc/kibitz/kibitzd.toml", self.root.output("dpkg-query", "-W", "-f", "${Conffiles}", "kibitz"))

    def test_serves_as_its_user_with_the_configuration_it_came_with(self):
        with self.root.server("--config", "/etc/kibitz/kibitzd.toml", enter=self.as_kibitz) as address:
            self.assertEqual(self.root.answers(address), (20, "serving\n"))

    def test_each_variant_searches_the_same_nodes(self):
        signature = re.search(r"(?m)^SIGNATURE = (\d+)$", SIGNATURE_FILE.read_text())[1]
        for variant in filter(runs_here, VARIANTS):
            with self.subTest(variant):
                self.assertIn(f"({variant}, ", self.root.output("kibitz", "--version", KIBITZ_VARIANT=variant))
                text = self.root.output("kibitz", "bench", "--depth", "9", KIBITZ_VARIANT=variant)
                self.assertIn(f"Nodes searched: {signature}\n", text)
                count = self.root.output("kibitz", "perft", "5", "--json", KIBITZ_VARIANT=variant)
                self.assertIn('"4865609"', count)

    def test_starts_the_fastest_variant_that_runs_here(self):
        version = self.root.output("kibitz", "--version")
        if runs_here("x86-64-v3"):
            self.assertRegex(version, r"\(x86-64-v3(, .* pext|-magic, .* magic)\)$")
        else:
            self.assertIn("(x86-64-v2, ", version)

    def test_the_unit_is_one_that_systemd_takes(self):
        run("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", f"--root={self.path}", "kibitzd.service")

    def test_the_unit_allows_what_the_server_calls(self):
        trace = self.folder / "trace"
        strace = ("strace", "--follow-forks", "--quiet=all", "-o", str(trace), *self.root.enter)
        with self.root.server(enter=strace) as address:
            self.root.answers(address)
            self.root.output("kibitz", "analyze", "--depth", "8", "--server", address)
        called = set(re.findall(r"(?m)^\d+ +(\w+)\(", trace.read_text()))
        self.assertIn("accept4", called)
        unit = (self.path / UNIT).read_text()
        allowed, denied = re.findall(r"(?m)^SystemCallFilter=(.*)$", unit)
        refused = called - (calls_of(allowed.split()) - calls_of(denied.removeprefix("~").split()))
        # What chroot and the launcher do before the server starts is not the unit's affair.
        self.assertEqual(refused - {"chroot"}, set())

    def test_zz_leaves_nothing_but_its_user_when_it_is_purged(self):
        self.root.run("dpkg", "--purge", "kibitz")
        for gone in ("usr/bin/kibitzd", "usr/lib/kibitz", "etc/kibitz", UNIT):
            self.assertFalse((self.path / gone).exists(), gone)


def calls_of(names):
    """The system calls of filter sets, and of the sets in them."""
    calls = set()
    for name in names:
        if not name.startswith("@"):
            calls.add(name)
            continue
        lines = run("systemd-analyze", "syscall-filter", name).splitlines()[1:]
        calls |= calls_of([line.strip() for line in lines if line.strip() and not line.strip().startswith("#")])
    return calls


if __name__ == "__main__":
    xml_unittest.main()
