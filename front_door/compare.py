"""Compares what two builds printed of one benchmark, a JSON object a line: medians, and the ratio of these."""

import json
import statistics
import sys


def medians(path):
    """The median of each figure over the lines of a file, in the order of the first."""
    with open(path, encoding="utf-8") as file:
        runs = [json.loads(line) for line in file]
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def main():
    revision, here, there = sys.argv[1], medians(sys.argv[2]), medians(sys.argv[3])
    print(f"{'median of each figure':32}{'this tree':>14}{revision:>14}{'ratio':>8}")
    for name, value in here.items():
        if name in there:
            ratio = f"{value / there[name]:8.3f}" if there[name] else ""
            print(f"{name:32}{value:14.1f}{there[name]:14.1f}{ratio}")


if __name__ == "__main__":
    main()
