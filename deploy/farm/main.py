"""`./kibitz farm`: a farm on this machine, for a first try and for tests.

usage: ./kibitz farm up [--nodes N] [--nats 1|3|5] ...
       ./kibitz farm status
       ./kibitz farm down
       ./kibitz farm simulate
"""

import argparse
import dataclasses
import os
import signal
import sys

from deploy.farm import processes, simulate
from deploy.farm.farm import MAX_NODES, Farm, FarmError, Plan


def _parse(words):
    parser = argparse.ArgumentParser(prog="./kibitz farm", description="A farm on this machine: NATS, nodes, HAProxy "
                                     "and Prometheus, for a first try. docs/farms.md tells of farms on many machines.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    up = commands.add_parser("up", help="bring it up, and say who listens where")
    up.add_argument("--nodes", type=int, default=3, metavar="N", help=f"nodes, up to {MAX_NODES}; 3 if not said")
    up.add_argument("--nats", type=int, default=1, metavar="N", help="NATS servers: 1, or a cluster of 3 or 5")
    up.add_argument("--workers", type=int, default=0, metavar="N",
                    help="threads that search, of each node; if not said, the cores divided among the nodes")
    up.add_argument("--hash-mb", type=int, default=64, metavar="MB", help="the table of each node")
    up.add_argument("--listen", default="127.0.0.1:50051", metavar="HOST:PORT", help="where clients come in")
    up.add_argument("--no-prometheus", action="store_true", help="leave Prometheus out")
    commands.add_parser("status", help="say who is there, and where")
    down = commands.add_parser("down", help="end all of it, and remove what it kept")
    down.add_argument("--keep", action="store_true", help="keep jobs, metrics and logs")
    simulation = commands.add_parser("simulate", help="say how farms of any size would do", epilog=simulate.__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in dataclasses.fields(simulate.Costs):
        simulation.add_argument("--" + field.name.replace("_", "-"), type=field.type, default=field.default,
                                metavar="N", help=f"{field.default:g} if not said")
    simulation.add_argument("--sizes", default="1,3,10,30,100,300,1000", metavar="N,N,...", help="how many nodes")
    return parser.parse_args(words)


def _print_table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def _state_of(record):
    if not processes.is_alive(record):
        return "gone"
    return "listens" if processes.listens(record["address"]) else "silent"


def _print_farm(farm):
    rows = [("who", "pid", "state", "address", "metrics, monitoring", "what for")]
    for each in farm.processes:
        rows.append((each["name"], str(each["pid"]), _state_of(each), each["address"],
                     each.get("metrics", each.get("monitor", "")), each["role"]))
    _print_table(rows)


def _up(farm, options):
    farm.up(Plan(kibitzd=os.environ["KIBITZD"], nodes=options.nodes, nats=options.nats, workers=options.workers,
                 hash_mb=options.hash_mb, listen=options.listen, prometheus=not options.no_prometheus))
    _print_farm(farm)
    nodes = ",".join(farm.address(name) for name in farm.named("node"))
    print(f"\nask it      ./kibitz analyze --server {farm.address('front')}"
          f"\ngive it     ./kibitz job submit --server {farm.address('front')} games.pgn"
          f"\nwatch it    ./kibitz top --server {nodes}"
          f"\nlogs        {farm.folder}"
          "\nend it      ./kibitz farm down")


def main():
    options = _parse(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if options.command == "simulate":
        costs = {field.name: getattr(options, field.name) for field in dataclasses.fields(simulate.Costs)}
        _print_table(simulate.table(simulate.Costs(**costs), [int(size) for size in options.sizes.split(",")]))
        return 0
    try:
        farm = Farm(os.environ["KIBITZ_FARM"])
        if options.command == "up":
            _up(farm, options)
        elif not farm.processes:
            print("there is no farm; ./kibitz farm up brings one up")
            return 0 if options.command == "down" else 1
        elif options.command == "status":
            _print_farm(farm)
            return 0 if all(processes.is_alive(each) for each in farm.processes) else 1
        else:
            farm.down(options.keep)
    except FarmError as error:
        print(f"kibitz farm: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
