import { describe, expect, it } from "vitest";

import { Variant } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";
import { lineThrough } from "../../../../../client/web/page/game/game_tree.ts";
import { Positions } from "../../../../../client/web/page/game/positions.ts";
import { readPgn } from "../../../../../client/web/page/pgn/pgn_reader.ts";
import { resolvePgn } from "../../../../../client/web/page/pgn/pgn_resolver.ts";
import { facts } from "../legal_moves.ts";

const KNOWN: Record<string, string[]> = {
  "": ["e4 e2e4", "d4 d2d4"],
  e2e4: ["e5 e7e5", "c5 c7c5"],
  "e2e4 e7e5": ["Nf3 g1f3"],
  "e2e4 c7c5": ["Nf3 g1f3"],
};

const positions = new Positions(async ({ moves }) => facts("fen", ...(KNOWN[moves.join(" ")] ?? [])));
const resolve = (text: string) => resolvePgn(readPgn(text), positions);

describe("resolvePgn", () => {
  it("makes a game of it, with comments, glyphs and variations", async () => {
    const tree = await resolve("{so} 1. e4 {well} e5!? (1... c5 2. Nf3) 2. Nf3 *");
    expect(lineThrough(tree.root).map((node) => node.uci)).toEqual(["e2e4", "e7e5", "g1f3"]);
    const e4 = tree.root.children[0]!;
    expect([tree.root.comment, e4.comment]).toEqual(["so", "well"]);
    expect(e4.children[0]!.nags).toEqual([5]);
    expect(e4.children[1]!.children[0]!.san).toBe("Nf3");
  });

  it("says where the first move is that is not legal", async () => {
    await expect(resolve("1. e4 e5\n2. Qh9")).rejects.toThrow("Line 2, column 4: “Qh9” is not a move.");
    await expect(resolve("1. e4 e5\n2. Qh5 a6")).rejects.toThrow("Line 2, column 4: “Qh5” is not legal here.");
    await expect(resolve("1. e4 (1. d5) e5")).rejects.toThrow("Line 1, column 11: “d5” is not legal here.");
  });

  it("takes start and variant from the headers", async () => {
    const tree = await resolve('[FEN "some fen"]\n[Variant "Chess960"]\n\n1. e4');
    expect(tree.start).toEqual({ fen: "some fen", variant: Variant.CHESS960 });
  });
});
