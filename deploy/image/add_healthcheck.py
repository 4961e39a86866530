"""Adds a health check to the image of an OCI layout.

usage: add_healthcheck.py LAYOUT WORD...

The WORDs are the command that tells by its exit code whether the program in the image is well. OCI's own description of
an image has no place for it, and buildah leaves it out; Docker reads it from the field that it has always had, and
others pass over it.
"""

import hashlib
import json
import pathlib
import sys

SECOND = 1_000_000_000
INTERVAL = 30 * SECOND
TIMEOUT = 5 * SECOND
START_PERIOD = 10 * SECOND
RETRIES = 3


def replace_blob(layout, descriptor, change):
    """Changes the JSON that a descriptor names, and the descriptor with it."""
    blobs = layout / "blobs" / "sha256"
    old = blobs / descriptor["digest"].removeprefix("sha256:")
    content = json.loads(old.read_text())
    change(content)
    text = json.dumps(content, separators=(",", ":")).encode()
    digest = hashlib.sha256(text).hexdigest()
    old.unlink()
    (blobs / digest).write_bytes(text)
    descriptor.update(digest=f"sha256:{digest}", size=len(text))


def add_healthcheck(layout, words):
    check = {
        "Test": ["CMD", *words],
        "Interval": INTERVAL,
        "Timeout": TIMEOUT,
        "StartPeriod": START_PERIOD,
        "Retries": RETRIES,
    }
    index_path = layout / "index.json"
    index = json.loads(index_path.read_text())
    [manifest] = index["manifests"]
    replace_blob(layout, manifest, lambda content: replace_blob(
        layout, content["config"], lambda config: config["config"].update(Healthcheck=check)))
    index_path.write_text(json.dumps(index))


if __name__ == "__main__":
    add_healthcheck(pathlib.Path(sys.argv[1]), sys.argv[2:])
