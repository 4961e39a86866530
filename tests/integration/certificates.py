"""Certificates to test with: those of `kibitz tls init`, of any age."""

import os
import pathlib
import subprocess
import tempfile

import grpc

from tests.integration.service import PATIENCE

_RUNFILES = pathlib.Path(os.environ["TEST_SRCDIR"]) / os.environ["TEST_WORKSPACE"]
_MAKE = str(_RUNFILES / "tests" / "client" / "certificates" / "make_certificates")


class Certificates:
    """A folder with an authority, a server's certificate and a client's, made so many days ago for so many days."""

    def __init__(self, days=30, ago=0):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name) / "tls"
        subprocess.run([_MAKE, str(self.folder), str(days), str(ago)], check=True, timeout=PATIENCE)

    def path(self, name):
        return str(self.folder / name)

    def server_flags(self, mutual=False):
        flags = ["--tls-cert", self.path("server.pem"), "--tls-key", self.path("server.key")]
        return flags + (["--tls-client-ca", self.path("ca.pem")] if mutual else [])

    def channel(self, address, client=None):
        """A channel to a server of this authority. client: the certificates of which to show the client's."""
        read = lambda folder, name: (folder.folder / name).read_bytes()
        shown = (read(client, "client.key"), read(client, "client.pem")) if client else (None, None)
        return grpc.secure_channel(address, grpc.ssl_channel_credentials(read(self, "ca.pem"), *shown),
                                   options=[("grpc.use_local_subchannel_pool", 1)])

    def replace_by(self, other, *names):
        """Puts files of another folder in the place of these, one after the other, each in one step."""
        for name in names:
            temporary = self.folder / (name + ".new")
            temporary.write_bytes((other.folder / name).read_bytes())
            temporary.rename(self.folder / name)

    def close(self):
        self._folder.cleanup()
