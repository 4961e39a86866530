import { describe, expect, it } from "vitest";

import { listGames } from "../../../../../client/web/page/pgn/pgn_games.ts";
import { readPgn } from "../../../../../client/web/page/pgn/pgn_reader.ts";

const titles = (text: string) => listGames(text).map((game) => game.title);

describe("listGames", () => {
  it("finds each game, and who plays it", () => {
    const text =
      '\uFEFF[Event "Cup"]\r\n[White "A \\"B\\""]\r\n[Black "C"]\r\n[Date "1999.??.??"]\r\n[Result "1-0"]\r\n\r\n1. e4 e5 1-0\r\n\r\n' +
      '[White "D"]\n[Black "?"]\n[Result "*"]\n\n1. d4 *\n';
    expect(titles(text)).toEqual(['1. A "B" – C, Cup 1999, 1-0', "2. D – Black"]);
    expect(listGames(text).map((game) => readPgn(game.text).moves.map((move) => move.san))).toEqual([
      ["e4", "e5"],
      ["d4"],
    ]);
  });

  it("takes brackets inside comments for what they are", () => {
    const text = '[White "A"]\n\n1. e4 {a diagram\n[White "nobody"]\n} e5 ; {\n[%clk] *\n\n[White "B"]\n\n1. c4 *\n';
    expect(titles(text)).toEqual(["1. A – Black", "2. B – Black"]);
  });

  it("needs no headers", () => expect(listGames("1. e4 e5 *")).toHaveLength(1));

  it("finds nothing in nothing", () => expect(listGames(" \n\n")).toEqual([]));

  it("is quick with many games", () => {
    const text = Array.from({ length: 5000 }, (_, i) => `[White "W${i}"]\n\n1. e4 e5 2. Nf3 *\n`).join("\n");
    expect(listGames(text)).toHaveLength(5000);
  });
});
