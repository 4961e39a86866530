"""Stands for `bazel test`, in the tests of the stress hunt.

One target always passes, one fails in every second run beside the load, one takes long. Writes down how many busy loops
there are. Beside the load it stays, if $WORLD/stay exists, until it is interrupted.
"""

import json
import os
import pathlib
import re
import signal
import sys
import time

WORLD = pathlib.Path(os.environ["WORLD"])
CORES = int((WORLD / "cores").read_text())


def busy_loops():
    count = 0
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            count += str(WORLD).encode() in words[1] and words[2] == b"load"
        except (OSError, IndexError):
            pass  # no process, or one that has ended
    return count


def note_load():
    """Writes down the load, and returns it. A hunt asks Bazel thrice, the last time beside the load."""
    log = WORLD / "load.log"
    beside_load = log.exists() and log.read_text().count("\n") % 3 == 2
    load = busy_loops()
    while beside_load and load < CORES:  # they are just starting
        time.sleep(0.05)
        load = busy_loops()
    with open(log, "a", encoding="utf-8") as lines:
        print(load, file=lines)
    return load


def stay():
    signal.signal(signal.SIGINT, lambda *_: os._exit(8))
    (WORLD / "loading").write_text(str(os.getpid()))
    (WORLD / "loading").rename(WORLD / "loaded")
    while True:
        time.sleep(1)


def read_arguments():
    """The path of the event file, and how often each target is to be run."""
    counts = {"//a:steady_test": 1, "//a:flaky_test": 1, "//a:long_test": 1}
    events = os.devnull
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        if name == "--build_event_json_file":
            events = value
        if name == "--runs_per_test":
            pattern, _, count = value.rpartition("@")
            counts = {label: int(count) if re.search(pattern, label) else old for label, old in counts.items()}
    return events, counts


def results(counts, load):
    for label, count in counts.items():
        for run in range(1, count + 1):
            bad = label == "//a:flaky_test" and load > 0 and run % 2 == 0
            result = {
                "status": "FAILED" if bad else "PASSED",
                "testAttemptDurationMillis": "75000" if label == "//a:long_test" else "20",
                "cachedLocally": "--nocache_test_results" not in sys.argv,
            }
            yield {"id": {"testResult": {"label": label, "run": run, "shard": 1, "attempt": 1}}, "testResult": result}


def main():
    load = note_load()
    if load and (WORLD / "stay").exists():
        stay()
    path, counts = read_arguments()
    events = list(results(counts, load))
    with open(path, "w", encoding="utf-8") as lines:
        for event in events:
            print(json.dumps(event), file=lines)
    raise SystemExit(3 if any(event["testResult"]["status"] == "FAILED" for event in events) else 0)


if __name__ == "__main__":
    main()
