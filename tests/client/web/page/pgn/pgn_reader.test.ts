import { describe, expect, it } from "vitest";

import { readPgn, TextProblem } from "../../../../../client/web/page/pgn/pgn_reader.ts";

const sans = (text: string) => readPgn(text).moves.map((move) => move.san);

function problemOf(text: string): string {
  try {
    readPgn(text);
  } catch (error) {
    if (error instanceof TextProblem) return error.message;
    throw error;
  }
  return "";
}

describe("readPgn", () => {
  it("reads headers, with escapes", () => {
    const { headers } = readPgn('[White "A \\"B\\" C"]\n[Black "D\\\\E"]\n\n1. e4 *');
    expect([...headers]).toEqual([
      ["White", 'A "B" C'],
      ["Black", "D\\E"],
    ]);
  });

  it.each([
    "1. e4 e5 2. Nf3",
    "1.e4 e5 2.Nf3",
    "1 e4 e5 2 Nf3",
    "e4 e5 Nf3",
    "1. e4 1... e5 2. Nf3 *",
    "1.e4\r\ne5\r\n2.Nf3",
  ])("reads moves numbered like %j", (text) => expect(sans(text)).toEqual(["e4", "e5", "Nf3"]));

  it("reads the result", () => {
    expect(readPgn("1. e4 1-0").result).toBe("1-0");
    expect(readPgn("1. e4 1/2-1/2").result).toBe("1/2-1/2");
    expect(readPgn("1. e4").result).toBe("*");
  });

  it("tells castling with zeros from a result", () => {
    expect(sans("4. 0-0 0-0-0 5. e4 0-1")).toEqual(["0-0", "0-0-0", "e4"]);
  });

  it("reads comments of both kinds", () => {
    const game = readPgn("{before} 1. e4 {good\n move} e5 ; to the end ) of line\n2. Nf3");
    expect(game.comment).toBe("before");
    expect(game.moves.map((move) => move.comment)).toEqual(["good move", "to the end ) of line", ""]);
  });

  it("reads glyphs, as numbers and as signs", () => {
    expect(readPgn("1. e4! e5 $2 $14 2. Nf3?!").moves.map((move) => move.nags)).toEqual([[1], [2, 14], [6]]);
  });

  it("reads nested variations", () => {
    const [e4, e5] = readPgn("1. e4 (1. d4 d5 (1... Nf6 2. c4)) e5").moves;
    expect(e5!.san).toBe("e5");
    const [d4, d5] = e4!.variations[0]!;
    expect([d4!.san, d5!.san]).toEqual(["d4", "d5"]);
    expect(d5!.variations[0]!.map((move) => move.san)).toEqual(["Nf6", "c4"]);
  });

  it("skips lines that begin with a percent sign", () => {
    expect(sans("%ignored {\n1. e4\n% this ( too\ne5")).toEqual(["e4", "e5"]);
  });

  it("stops at the next game", () => {
    expect(sans('[Event "1"]\n\n1. e4 *\n\n[Event "2"]\n\n1. d4 *')).toEqual(["e4"]);
    expect(sans('1. e4\n\n[Event "2"]\n\n1. d4 *')).toEqual(["e4"]);
  });

  it("remembers where each move stands", () => {
    const moves = readPgn('[White "x"]\n\n1. e4 e5\n  2. Nf3').moves;
    expect(moves.map(({ line, column }) => [line, column])).toEqual([
      [3, 4],
      [3, 7],
      [4, 6],
    ]);
  });

  it("reads a long text quickly, and no endless one", () => {
    const comment = `{${"long ".repeat(20)}}\n`;
    expect(readPgn(`1. e4 ${comment}`.repeat(4000)).moves).toHaveLength(4000);
    expect(problemOf("e4\n".repeat(6000))).toBe("Line 5001, column 1: there are more than 5000 moves.");
  });

  it.each([
    ["1. e4 {open", "Line 1, column 7: this comment is not closed by }."],
    ["1. e4\n(1. d4", "Line 2, column 1: this variation is not closed by )."],
    ["1. e4 )", "Line 1, column 7: this ) closes nothing."],
    ["(1. e4)", "Line 1, column 1: there is no move that this variation could replace."],
    ["[White Name]\n1. e4", 'Line 1, column 1: a header should look like [White "Name"].'],
    ["1. e4 #5", "Line 1, column 7: “#5” is not a move."],
    ["1. e4 }", "Line 1, column 7: “}” is out of place."],
    ["1. e4 $", "Line 1, column 7: $ wants a number."],
    ["", "Line 1, column 1: there is no game here."],
    ["1. e4 ".padEnd(6) + "(1. d4 ".repeat(60), "Line 1, column 357: variations are nested more than 50 deep."],
  ])("says what is wrong with %j", (text, message) => expect(problemOf(text)).toBe(message));
});
