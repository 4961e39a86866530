"""`./kibitz attack`: each attack on a real server, directly and through the shipped front, as a table of what it did."""

import argparse
import contextlib
import pathlib
import sys
import tempfile

from tests.hostile.attacks import ATTACKS, ON_KEYS, ON_TLS
from tests.hostile.front import Front
from tests.hostile.target import Target
from tests.hostile.trial import try_attack
from tests.integration.authority import Authority
from tests.integration.keys import Keys

_SOURCE = "127.0.0.2"  # the attacker's; the honest client comes from 127.0.0.1
_WAYS = ("direct", "front")
_ALL = ATTACKS + ON_TLS + ON_KEYS

_PAGE = """# Attacks

Made by `./kibitz attack --seconds {seconds:g} --output docs`. Each attack comes from one address for {seconds:g} seconds,
over one connection at a time or as many as it says, and comes back whenever it is cut off; an honest client at another
address calls LegalMoves every 20 ms meanwhile. *direct* is at kibitzd itself, *front* through HAProxy with
[deploy/haproxy/haproxy.cfg](../deploy/haproxy/haproxy.cfg). Memory, threads and descriptors are kibitzd's: more than
before at the most, and up to a minute later (searches leave up to 64 MiB for the next move of their game, and a front
keeps some connections). What an attacker sends after it was cut off is in its rate. The attacks are in
[tests/hostile/attacks.py](../tests/hostile/attacks.py).

| attack | way | rate | first cut off | MB | threads | descriptors | honest client: median, p99, worst | failed calls |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
{rows}
"""


def _short(number):
    """A rate in a few letters."""
    for bound, factor, letter in ((10_000_000, 1_000_000, " M"), (10_000, 1_000, " k")):
        if number >= bound:
            return f"{number / factor:.0f}{letter}"
    return f"{number:.0f}"


def _row(attack, way, figures):
    if figures is None:
        return f"| {attack.name} | {way} | | | | | | **the server ended** | |"
    cut_off = "never" if figures.cut_off_after is None else f"{figures.cut_off_after:.1f} s"
    more = lambda name: f"+{max(0, getattr(figures.peak, name)):.0f}, {getattr(figures.remains, name):+.0f}"
    honest = ", ".join(f"{1000 * figures.percentile(share):.1f}" for share in (0.5, 0.99, 1))
    return (f"| {attack.name} | {way} | {_short(figures.rate)} {figures.unit}/s | {cut_off} | {more('memory_mb')} | "
            f"{more('threads')} | {more('descriptors')} | {honest} ms | {len(figures.failures)} |")


def _measure(attack, way, seconds):
    """A row of the table, from a server of its own."""
    with contextlib.ExitStack() as running:
        flags, caller, variables = [], {}, {}
        if attack in ON_TLS:
            authority = Authority(running.enter_context(tempfile.TemporaryDirectory()))
            caller["CALLER_CA"] = authority.certificate
            if way == "front":
                variables["KIBITZ_FRONT_CERT"] = authority.whole()
            else:
                flags += authority.flags
        if attack in ON_KEYS:
            keys = Keys()
            running.callback(keys.close)
            flags += keys.flags
            caller["CALLER_KEY"] = keys.add("site")
        target = Target("--workers", "2", *flags)
        running.callback(target.stop)
        if not target.listening:
            raise SystemExit(f"kibitzd did not start: {target.log()}")
        address = target.address
        if way == "front":
            front = Front(target.address, **variables)
            running.callback(front.stop)
            address = front.address
        return _row(attack, way, try_attack(target, attack, seconds, address=address, source=_SOURCE, **caller))


def _arguments():
    parser = argparse.ArgumentParser(
        prog="./kibitz attack", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Attacks a server of its own in every way that the tests know, directly and through HAProxy with\n"
        "the configuration that is shipped. Prints a table, and writes it to attacks.md if told where.",
        epilog="examples:\n  ./kibitz attack --seconds 2 --only resets\n  ./kibitz attack --output docs")
    parser.add_argument("--seconds", type=float, default=10, help="how long each attack lasts (default: 10)")
    parser.add_argument("--only", default="", metavar="WORDS", help="only attacks with these words in their name")
    parser.add_argument("--output", type=pathlib.Path, metavar="FOLDER", help="where to write attacks.md")
    arguments = parser.parse_args()
    if not 0.1 <= arguments.seconds <= 3600:
        parser.error("--seconds must be between 0.1 and 3600")
    if arguments.output is not None and not arguments.output.is_dir():
        parser.error(f"--output: there is no folder {arguments.output}")
    if not any(arguments.only in attack.name for attack in _ALL):
        parser.error("--only: there are " + "; ".join(attack.name for attack in _ALL))
    return arguments


def main():
    arguments = _arguments()
    rows = []
    for attack in _ALL:
        for way in _WAYS:
            if arguments.only in attack.name:
                rows.append(_measure(attack, way, arguments.seconds))
                print(rows[-1], flush=True)
    if arguments.output is not None:
        page = _PAGE.format(seconds=arguments.seconds, rows="\n".join(rows))
        (arguments.output / "attacks.md").write_text(page)
        print(f"written: {arguments.output / 'attacks.md'}", file=sys.stderr)


if __name__ == "__main__":
    main()
