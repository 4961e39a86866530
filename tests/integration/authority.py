"""Certificates for long trials: made by `kibitz tls init`, the server's renewed by the same authority while it runs."""

import pathlib
import subprocess

from tests.integration.service import KIBITZ, PATIENCE, environment


class Authority:
    """Lives in a folder that is there."""

    def __init__(self, folder):
        self._folder = pathlib.Path(folder) / "tls"
        self.renewed = 0
        self._run(KIBITZ, "tls", "init", str(self._folder))
        self.certificate = str(self._folder / "ca.pem")
        self.flags = ("--tls-cert", self._path("server.pem"), "--tls-key", self._path("server.key"))

    def _path(self, name):
        return str(self._folder / name)

    def whole(self):
        """A file with the server's certificate and key, as HAProxy wants them."""
        file = self._folder / "whole.pem"
        file.write_text((self._folder / "server.pem").read_text() + (self._folder / "server.key").read_text())
        return str(file)

    @staticmethod
    def _run(*command):
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE, env=environment())

    def renew(self):
        """Another certificate and key of the server, each put in its place in one step."""
        self._run("openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                  "/CN=kibitzd", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-addext",
                  "extendedKeyUsage=serverAuth", "-keyout", self._path("new.key"), "-out", self._path("new.csr"))
        self._run("openssl", "x509", "-req", "-in", self._path("new.csr"), "-CA", self.certificate, "-CAkey",
                  self._path("ca.key"), "-copy_extensions", "copy", "-days", "2", "-out", self._path("new.pem"))
        for kind in ("pem", "key"):
            (self._folder / f"new.{kind}").rename(self._folder / f"server.{kind}")
        self.renewed += 1
