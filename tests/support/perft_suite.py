#!/usr/bin/python3
"""Keeps tests/testdata/perft_suite.txt true: every count in it comes from Debian's Stockfish.

  perft_suite.py check FILE                      recount every position, fail on the first difference
  perft_suite.py fill FILE                       write the counts of the positions that have none
  perft_suite.py play --seed N [--chess960]      random games; print the positions with something rare in them
  perft_suite.py compose --seed N                random men on random squares; print what is rare in each

A line of the file is `name; variant; FEN; count of depth 1, count of depth 2, ...` (see the head of the file).
"""

import argparse
import random
import re
import select
import shutil
import subprocess
import sys

LEAVES = 12_000_000  # A position is counted as deep as stays below this, so that the whole suite takes seconds.
MAX_DEPTH = 8
ANSWER_SECONDS = 60


class Stockfish:
    """A Stockfish on a pipe. Every wait is bounded."""

    def __init__(self):
        path = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
        if path is None:
            raise SystemExit("no stockfish on PATH or in /usr/games: install Debian's package stockfish")
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.buffer = b""

    def ask(self, commands, last):
        """Sends lines and returns the lines of the answer up to the one that starts with `last`."""
        self.process.stdin.write(("\n".join(commands) + "\n").encode())
        lines = []
        while not lines or not lines[-1].startswith(last):
            while b"\n" not in self.buffer:
                if not select.select([self.process.stdout], [], [], ANSWER_SECONDS)[0]:
                    raise SystemExit(f"stockfish has not answered {commands} for {ANSWER_SECONDS} s")
                chunk = self.process.stdout.read(65536)
                if not chunk:
                    raise SystemExit(f"stockfish ended while answering {commands}")
                self.buffer += chunk
            line, self.buffer = self.buffer.split(b"\n", 1)
            lines.append(line.decode().strip())
        return lines

    def position(self, variant, fen):
        chess960 = "true" if variant == "chess960" else "false"
        return [f"setoption name UCI_Chess960 value {chess960}", f"position fen {fen}"]

    def divide(self, variant, fen, depth):
        """The count below each move."""
        lines = self.ask(self.position(variant, fen) + [f"go perft {depth}"], "Nodes searched")
        matches = (re.fullmatch(r"([a-h][1-8][a-h][1-8][nbrq]?): (\d+)", line) for line in lines)
        return {match[1]: int(match[2]) for match in matches if match}

    def perft(self, variant, fen, depth):
        return sum(self.divide(variant, fen, depth).values())

    def show(self, variant, fen, moves=()):
        """The FEN after the moves, and the squares of the men that give check."""
        position = self.position(variant, fen)
        position[1] += " moves " + " ".join(moves) if moves else ""
        lines = self.ask(position + ["d"], "Checkers")
        return next(l for l in lines if l.startswith("Fen: "))[5:], lines[-1].split()[1:]


def counts(stockfish, variant, fen):
    """The counts of all depths below the bound; at least one."""
    result = []
    while len(result) < MAX_DEPTH:
        count = stockfish.perft(variant, fen, len(result) + 1)
        if result and count > LEAVES:
            break
        result.append(count)
        # The next depth would surely pass the bound: do not count it.
        if count == 0 or (len(result) > 1 and count * count / max(result[-2], 1) > 3 * LEAVES):
            break
    return result


def entries(path):
    """The lines of the file with their fields, None for comments."""
    with open(path, encoding="ascii") as file:
        for line in file.read().splitlines():
            yield line, None if not line or line.startswith("#") else [f.strip() for f in line.split(";")]


def check(path):
    stockfish, checked, leaves = Stockfish(), 0, 0
    for _, fields in entries(path):
        if fields is None:
            continue
        name, variant, fen, listed = fields
        for depth, count in enumerate(map(int, listed.split()), start=1):
            found = stockfish.perft(variant, fen, depth)
            if found != count:
                raise SystemExit(f"{name}: depth {depth} of {fen} is {found}, the file says {count}")
            checked, leaves = checked + 1, leaves + count
    print(f"{checked} counts, {leaves} leaves: all as Stockfish has them")


def fill(path):
    stockfish, lines = Stockfish(), []
    for line, fields in entries(path):
        if fields is not None and len(fields) == 3:
            line = "; ".join(fields + [" ".join(map(str, counts(stockfish, fields[1], fields[2])))])
        lines.append(line)
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def start_position(chess960):
    if not chess960:
        return "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    while True:
        row = random.sample("rnbqkbnr", 8)
        bishops = [i for i in range(8) if row[i] == "b"]
        rooks = [i for i in range(8) if row[i] == "r"]
        if (bishops[0] + bishops[1]) % 2 and rooks[0] < row.index("k") < rooks[1]:
            files = "".join("abcdefgh"[i] for i in reversed(rooks))
            back = "".join(row)
            return f"{back}/pppppppp/8/8/8/8/PPPPPPPP/{back.upper()} w {files.upper()}{files} - 0 1"


def random_men():
    """A board with up to eight pawns and as many promoted men as pawns are missing; often far from any real game."""
    board, squares = ["."] * 64, random.sample(range(64), 64)
    for king in "Kk":
        board[squares.pop()] = king
    for side in (str.upper, str.lower):
        pawns, promoted = random.choice(((0, 8), (0, 0), (3, 2), (8, 0)))
        officers = random.sample("qrrbbnn", random.randint(0, 7))
        officers += random.choices("qqqrbn", k=random.randint(0, promoted))
        for man in officers + ["p"] * pawns:
            square = squares.pop()
            if man != "p" or 8 <= square < 56:
                board[square] = side(man)
    rows = ("".join(board[i : i + 8]) for i in range(0, 64, 8))
    return "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)


def compose(seed, games):
    random.seed(seed)
    stockfish = Stockfish()
    for _ in range(games):
        board, side, other = random_men(), *random.choice(("wb", "bw"))
        fen, checkers = stockfish.show("standard", f"{board} {side} - - 0 1")
        in_check_at_once = stockfish.show("standard", f"{board} {other} - - 0 1")[1]
        if not in_check_at_once and len(checkers) <= 2:
            print(f"{'+'.join(rare_features(stockfish, 'standard', fen, checkers)[0]) or 'plain'}; standard; {fen}")


def rare_features(stockfish, variant, fen, checkers):
    """What makes a position worth a place in the suite."""
    moves = stockfish.divide(variant, fen, 1)
    board, _, castling, en_passant = fen.split()[:4]
    rows = [re.sub(r"\d", lambda digit: "." * int(digit[0]), row) for row in board.split("/")]
    man = {f"{file}{8 - i}": row["abcdefgh".index(file)] for i, row in enumerate(rows) for file in "abcdefgh"}
    taking = [m for m in moves if m[2:4] == en_passant and man[m[:2]] in "Pp" and m[0] != m[2]]
    castles = [m for m in moves if man[m[:2]] in "Kk" and (man[m[2:4]] in "Rr" and man[m[:2]].isupper() ==
                                                           man[m[2:4]].isupper() or abs(ord(m[0]) - ord(m[2])) > 1)]
    return [feature for feature, present in {
        "mate": not moves and checkers,
        "stalemate": not moves and not checkers,
        "double_check": len(checkers) > 1,
        "en_passant_evasion": checkers and taking,
        "en_passant_forbidden": en_passant != "-" and not taking,
        "en_passant": taking,
        "castling": castles,
        "castling_forbidden": castling != "-" and not castles and len(moves) > 40,
        "promotion": any(len(m) == 5 for m in moves),
        "promotion_capture": any(len(m) == 5 and m[0] != m[2] for m in moves),
        "single_move": len(moves) == 1,
        "many_moves": len(moves) > 70,
    }.items() if present], moves


def play(seed, games, chess960):
    random.seed(seed)
    stockfish, variant = Stockfish(), "chess960" if chess960 else "standard"
    for _ in range(games):
        fen = start_position(chess960)
        for _ in range(160):
            fen, checkers = stockfish.show(variant, fen)
            features, moves = rare_features(stockfish, variant, fen, checkers)
            if features:
                print(f"{'+'.join(features)}; {variant}; {fen}")
            if not moves:
                break
            fen, _ = stockfish.show(variant, fen, [random.choice(sorted(moves))])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("check", "fill"):
        commands.add_parser(name).add_argument("path")
    for name in ("play", "compose"):
        maker = commands.add_parser(name)
        maker.add_argument("--seed", type=int, default=1)
        maker.add_argument("--games", type=int, default=20)
    commands.choices["play"].add_argument("--chess960", action="store_true")
    arguments = vars(parser.parse_args())
    {"check": check, "fill": fill, "play": play, "compose": compose}[arguments.pop("command")](**arguments)


if __name__ == "__main__":
    main()
