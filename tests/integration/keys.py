"""Keys to test with, made by `kibitz keys` itself."""

import pathlib
import subprocess
import tempfile

from tests.integration.service import KIBITZ, PATIENCE, environment


class Keys:
    """A file of keys."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self._folder.name) / "keys.toml"
        self.flags = ("--keys", str(self.path))

    def _run(self, action, *arguments):
        return subprocess.run([KIBITZ, "keys", action, "--file", str(self.path), *arguments], check=True, text=True,
                              capture_output=True, timeout=PATIENCE, env=environment()).stdout

    def add(self, tenant, *arguments):
        """A new key's text."""
        return self._run("add", "--tenant", tenant, *arguments).strip()

    def revoke(self, key):
        self._run("revoke", key.split("_")[1])

    def close(self):
        self._folder.cleanup()


def shown(key):
    """The metadata of a call that shows this key."""
    return [("authorization", "Bearer " + key)]
