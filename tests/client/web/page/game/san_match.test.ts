import { describe, expect, it } from "vitest";

import { explainMismatch, matchMove, matchTypedMove } from "../../../../../client/web/page/game/san_match.ts";
import { legalMoves } from "../legal_moves.ts";

const moves = legalMoves(
  "Nbd2 b1d2",
  "Nfd2 f3d2",
  "Nh4+ f3h4",
  "exd6 e5d6",
  "b4 b2b4",
  "Bb5 f1b5",
  "O-O e1g1",
  "O-O-O e1c1",
  "a8=Q+ a7a8q",
  "a8=N a7a8n",
  "axb8=Q a7b8q",
);

function uci(text: string): string | undefined {
  const result = matchMove(text, moves);
  return "move" in result ? result.move.uci : undefined;
}

describe("matchMove", () => {
  it.each([
    ["Nbd2", "b1d2"],
    ["Nh4", "f3h4"],
    ["Nh4+", "f3h4"],
    ["Nh4!?", "f3h4"],
    ["Nf3h4", "f3h4"],
    ["Nf3-h4", "f3h4"],
    ["N3h4", "f3h4"],
    ["exd6 e.p.", "e5d6"],
    ["ed6", "e5d6"],
    ["e5xd6", "e5d6"],
    ["b4", "b2b4"],
    ["Bb5", "f1b5"],
    ["O-O", "e1g1"],
    ["0-0", "e1g1"],
    ["0-0-0", "e1c1"],
    ["e1g1", "e1g1"],
    ["a8=Q", "a7a8q"],
    ["a8Q", "a7a8q"],
    ["a8(N)", "a7a8n"],
    ["a7a8q", "a7a8q"],
    ["axb8=Q", "a7b8q"],
  ])("reads %s", (text, expected) => expect(uci(text)).toBe(expected));

  it("does not guess a promotion", () => expect(uci("a8")).toBeUndefined());

  it("finds castling by its notation where the king takes its rook", () => {
    const result = matchMove("O-O", legalMoves("O-O e1h1", "Kf1 e1f1"));
    expect("move" in result && result.move.uci).toBe("e1h1");
  });

  it("names the moves that an ambiguous text could be", () => {
    const result = matchMove("Nd2", moves);
    expect("move" in result || explainMismatch("Nd2", result)).toBe("“Nd2” could be Nbd2 or Nfd2");
  });

  it("tells an illegal move from what is no move", () => {
    expect(matchMove("Qd4", moves)).toMatchObject({ problem: "illegal" });
    expect(matchMove("hello", moves)).toMatchObject({ problem: "unreadable" });
    expect(matchMove("Qd9", moves)).toMatchObject({ problem: "unreadable" });
    expect(matchMove("", moves)).toMatchObject({ problem: "unreadable" });
  });
});

describe("matchTypedMove", () => {
  it("forgives small letters", () => {
    const result = matchTypedMove("nh4", moves);
    expect("move" in result && result.move.uci).toBe("f3h4");
  });

  it("prefers the pawn to the bishop", () => {
    const both = legalMoves("bxc5 b4c5", "Bxc5 e3c5");
    expect(matchTypedMove("bxc5", both)).toMatchObject({ move: { uci: "b4c5" } });
    expect(matchTypedMove("Bxc5", both)).toMatchObject({ move: { uci: "e3c5" } });
  });
});
