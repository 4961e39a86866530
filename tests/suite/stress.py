"""Plans, watches and sums up the stress hunt: `./kibitz test --stress`.

usage: stress.py plan EVENTS RUNS
       stress.py load PARENT
       stress.py watch PARENT PHASE EVENTS TOTAL
       stress.py read PHASE EVENTS STATUS
       stress.py program PHASE NAME XML STATUS SECONDS
       stress.py fewer RUNS SECONDS
       stress.py report RUNS RECORD

plan prints how often each test target of a first run (its build events) is to be run: a line of label, runs and seconds
each. load keeps a core busy for as long as its parent lives. watch tells of the runs of a phase as they end, on
standard error, until it is killed. read and program print a record of the runs of a phase: a line each of phase,
target, outcome, seconds and the cases that failed. fewer prints how often a program is to be run that takes so long.
report shows the table of such a record on standard error, and prints how many runs passed and failed.
"""

import collections
import json
import os
import sys
import time
import xml.etree.ElementTree

# Not by the package's name: the front door runs this file as a program.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import count_results  # pylint: disable=wrong-import-position

PHASES = ("idle", "loaded")
LONG_SECONDS = 60
POLL_SECONDS = 1
PROGRESS_SECONDS = 60

Run = collections.namedtuple("Run", "phase target outcome seconds cases")


def runs_of(seconds, runs):
    """How often a target is run that takes so long: those that take over a minute less often."""
    return runs if seconds <= LONG_SECONDS else max(1, runs // 4)


def _seconds(result):
    return int(result.get("testAttemptDurationMillis", 0)) / 1000


def _was_run(result):
    """Whether a result is of this time, not of the cache."""
    return not result.get("cachedLocally") and not result.get("executionInfo", {}).get("cachedRemotely")


def results(events):
    """Label and result of each run of a test, cached or not."""
    for event in events:
        if "testResult" in event and "testResult" in event["id"]:
            yield event["id"]["testResult"]["label"], event["testResult"]


def plan(events, runs):
    """Label -> (runs, seconds of one)."""
    longest = collections.defaultdict(float)
    for label, result in results(events):
        longest[label] = max(longest[label], _seconds(result))
    return {label: (runs_of(seconds, runs), seconds) for label, seconds in sorted(longest.items())}


def failed_cases(xml_path):
    """The names of the failed cases in a test program's XML; none if it is not there."""
    try:
        cases = list(xml.etree.ElementTree.parse(xml_path).iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError):
        return []
    return [
        ".".join(filter(None, (case.get("classname"), case.get("name"))))
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]


def bazel_runs(phase, events, status):
    """The runs of a phase by its build events. What did not build is a failed run; so is Bazel if only it failed."""
    runs = []
    seen = set()
    for label, result in results(events):
        seen.add(label)
        if not _was_run(result):
            continue
        outcome = result.get("status", "NO_STATUS")
        cases = []
        if outcome == "FAILED":
            for path in count_results.xml_paths(result):
                cases += failed_cases(path)
        runs.append(Run(phase, label, outcome, _seconds(result), cases))
    runs += [Run(phase, label, "NOT_BUILT", 0, []) for label in sorted(count_results.broken_tests(events) - seen)]
    if status != 0 and all(passed(run) for run in runs):
        runs.append(Run(phase, "bazel", f"exit {status}", 0, []))
    return runs


def passed(run):
    return run.outcome in count_results.GOOD


def program_run(phase, name, xml_path, status, seconds):
    """One run of a test program that is not Bazel's."""
    cases = failed_cases(xml_path)
    good = status == 0 and not cases and os.path.exists(xml_path)
    return Run(phase, name, "PASSED" if good else "FAILED", seconds, cases)


def record(runs):
    return "".join(json.dumps(run) + "\n" for run in runs)


def read_record(path):
    with open(path, encoding="utf-8") as lines:
        return [Run(*json.loads(line)) for line in lines]


def _causes(runs):
    """What failed in these runs, the commonest first."""
    causes = collections.Counter()
    for run in runs:
        if not passed(run):
            causes.update(run.cases or [run.outcome.lower().replace("_", " ")])
    return ", ".join(f"{cause} ({count})" for cause, count in causes.most_common())


def _count(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def table(runs, wanted):
    """The lines of the table: each target that failed, or that was run less often than wanted."""
    by_target = collections.defaultdict(list)
    for run in runs:
        by_target[run.target].append(run)
    rows = [("target", *PHASES, "")]
    for target, of_target in sorted(by_target.items()):
        of_phases = [[run for run in of_target if run.phase == phase] for phase in PHASES]
        notes = _causes(of_target)
        fewest = min(map(len, of_phases))
        slowest = max(run.seconds for run in of_phases[0] or of_target)
        if not notes and fewest < wanted:
            notes = f"run {_count(fewest, 'time')}, not {wanted}: it takes {slowest:.0f} s"
        if notes:
            cells = (f"{sum(not passed(run) for run in phase)} of {len(phase)}" for phase in of_phases)
            rows.append((target, *cells, notes))
    heading = f"{_count(len(by_target), 'target')}, {_count(len(runs), 'run')}; "
    if len(rows) == 1:
        return [heading + "none failed"]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]).rstrip() for row in rows]
    return [heading + "runs that failed:", *lines]


def load(parent):
    """Keeps a core busy, and does not outlive its parent."""
    while os.getppid() == parent:
        for _ in range(1_000_000):
            pass


def watch(parent, phase, path, total):
    """Tells of each failure as it happens, and now and then how far the runs are. Ends with its parent."""
    done = failed = position = 0
    told = time.monotonic()
    while os.getppid() == parent:
        lines, position = _new_lines(path, position)
        for label, result in results(map(json.loads, lines)):
            done += 1
            outcome = result.get("status", "NO_STATUS")
            if outcome not in count_results.GOOD:
                failed += 1
                _say(f"{phase}: {label} {outcome.lower()}")
        if lines and time.monotonic() - told >= PROGRESS_SECONDS:
            told = time.monotonic()
            _say(f"{phase}: {done} of {total} runs, {failed} failed")
        time.sleep(POLL_SECONDS)


def _new_lines(path, position):
    """The complete lines that a growing file has from a position on, and the position behind them."""
    try:
        with open(path, "rb") as file:
            file.seek(position)
            text = file.read()
    except OSError:
        return [], position
    complete = text[: text.rfind(b"\n") + 1]
    return complete.splitlines(), position + len(complete)


def _say(words):
    print(f"kibitz: {words}", file=sys.stderr, flush=True)


def main():
    command, *arguments = sys.argv[1:]
    if command == "plan":
        planned = plan(count_results.read_events(arguments[0]), int(arguments[1]))
        for label, (runs, seconds) in planned.items():
            print(label, runs, f"{seconds:.0f}")
    elif command == "load":
        load(int(arguments[0]))
    elif command == "watch":
        parent, phase, events, total = arguments
        watch(int(parent), phase, events, int(total))
    elif command == "read":
        print(record(bazel_runs(arguments[0], count_results.read_events(arguments[1]), int(arguments[2]))), end="")
    elif command == "program":
        phase, name, xml_path, status, seconds = arguments
        print(record([program_run(phase, name, xml_path, int(status), float(seconds))]), end="")
    elif command == "fewer":
        print(runs_of(float(arguments[1]), int(arguments[0])))
    elif command == "report":
        runs = read_record(arguments[1])
        print(*table(runs, int(arguments[0])), sep="\n", file=sys.stderr)
        good = sum(map(passed, runs))
        print(good, len(runs) - good)


if __name__ == "__main__":
    main()
