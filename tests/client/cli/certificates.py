"""Certificates for tests, made anew by openssl(1)."""

import pathlib
import subprocess

PATIENCE = 60  # seconds


def _openssl(*arguments, **options):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, timeout=PATIENCE, **options)


class Authority:
    """Signs what it is asked to. `ca` is the file of its own certificate."""

    def __init__(self, folder, name="authority"):
        self._base = pathlib.Path(folder) / name
        self.ca, self._key = self._base.with_suffix(".pem"), self._base.with_suffix(".key")
        self._count = 0
        self._make_key(self._key)
        _openssl("req", "-x509", "-new", "-key", self._key, "-subj", f"/CN={name}", "-days", 2, "-out", self.ca)

    @staticmethod
    def _make_key(path):
        _openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path)

    def sign(self, names="DNS:localhost,IP:127.0.0.1", days=2):
        """The files of a certificate and its key. A negative number of days: it has expired."""
        self._count += 1
        base = self._base.with_name(f"{self._base.name}-{self._count}")
        cert, key, request = (base.with_suffix(end) for end in (".pem", ".key", ".csr"))
        self._make_key(key)
        _openssl("req", "-new", "-key", key, "-subj", "/CN=test", "-addext", f"subjectAltName={names}", "-out", request)
        _openssl("x509", "-req", "-in", request, "-CA", self.ca, "-CAkey", self._key, "-CAcreateserial",
                 "-copy_extensions", "copy", "-days", days, "-out", cert)
        return cert, key
