"""The OCI image, its file system run read-only and without root by bubblewrap. Run by `./kibitz test package`.

KIBITZ_IMAGE is the image's path. Its blobs are read as any engine reads them: by digest, each checked.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

from tests.package import programs
from tests.suite import xml_unittest

IMAGE = os.environ["KIBITZ_IMAGE"]
MAX_UNPACKED_MB = 80


class Layout:
    """An OCI archive."""

    def __init__(self, path, folder):
        with tarfile.open(path) as archive:
            archive.extractall(folder)
        self.folder = folder
        [self.descriptor] = json.loads((folder / "index.json").read_text())["manifests"]
        self.manifest = self.json(self.descriptor)
        self.config = self.json(self.manifest["config"])

    def blob(self, descriptor):
        kind, digest = descriptor["digest"].split(":")
        path = self.folder / "blobs" / kind / digest
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != digest or len(content) != descriptor["size"]:
            raise ValueError(f"{path} is not what its descriptor says")
        return path

    def json(self, descriptor):
        return json.loads(self.blob(descriptor).read_text())


class ImageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="kibitz-image-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.layout = Layout(IMAGE, cls.folder / "layout")
        cls.path = cls.folder / "root"
        for layer in cls.layout.manifest["layers"]:
            with tarfile.open(cls.layout.blob(layer)) as archive:
                archive.extractall(cls.path)
        cls.settings = cls.layout.config["config"]
        user, group = cls.settings["User"].split(":")
        cls.root = programs.Root("bwrap", "--unshare-all", "--share-net", "--die-with-parent", "--uid", user, "--gid",
                                 group, "--cap-drop", "ALL", "--ro-bind", cls.path, "/", "--proc", "/proc", "--dev",
                                 "/dev")

    def test_is_slim(self):
        size = int(subprocess.run(["du", "-s", "--block-size=M", self.path], capture_output=True, text=True,
                                  check=True).stdout.split("M")[0])
        print(f"unpacked {size} MB, packed {os.path.getsize(IMAGE) / 1e6:.1f} MB")
        self.assertLess(size, MAX_UNPACKED_MB)

    def test_runs_the_server_by_a_number_that_is_not_root(self):
        self.assertEqual(self.settings["Entrypoint"], ["/usr/bin/kibitzd"])
        self.assertEqual(self.settings["User"], "10001:10001")
        self.assertIn("KIBITZ_LISTEN=0.0.0.0:50051", self.settings["Env"])

    def test_holds_no_shell_and_nothing_that_gains_rights(self):
        self.assertFalse(list(self.path.glob("**/bin/*sh")))
        self.assertEqual({path.name for path in (self.path / "usr" / "bin").iterdir()}, {"kibitz", "kibitzd"})
        self.assertFalse([path for path in self.path.rglob("*") if path.lstat().st_mode & 0o6000])

    def test_says_what_it_is(self):
        labels = self.settings["Labels"]
        for name in ("title", "version", "revision", "licenses"):
            self.assertTrue(labels[f"org.opencontainers.image.{name}"], name)
        installed = {path.name for path in (self.path / "var/lib/dpkg/status.d").iterdir()}
        self.assertLess({"kibitz", "libc6", "libgrpc++1.51"}, installed)

    def test_is_an_image_that_others_read(self):
        subprocess.run(["skopeo", "inspect", f"oci-archive:{IMAGE}"], check=True, capture_output=True,
                       timeout=programs.PATIENCE)

    def test_serves_read_only_and_without_root(self):
        with self.root.server() as address:
            self.assertEqual(self.root.answers(address), (20, "serving\n"))
            process = json.loads(self.root.output("/usr/bin/kibitz", "info", "--json", "--server", address))
            self.assertIn("x86-64-v", process["build"])

    def test_its_health_check_tells_a_server_from_none(self):
        word, *command = self.settings["Healthcheck"]["Test"]
        self.assertEqual(word, "CMD")
        with self.root.server() as address:
            self.root.run(*command, KIBITZ_SERVER=address)
        self.assertNotEqual(self.root.run(*command, check=False, KIBITZ_SERVER=address).returncode, 0)

    def test_refuses_to_serve_the_world_in_plaintext(self):
        with self.assertRaisesRegex(RuntimeError, "--insecure"), contextlib.ExitStack() as stack:
            stack.enter_context(self.root.server(KIBITZ_LISTEN="0.0.0.0:0"))


if __name__ == "__main__":
    xml_unittest.main()
