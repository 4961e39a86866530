import { describe, expect, it } from "vitest";

import { Variant } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";
import { formatShareHash, parseShareHash, type SharedState } from "../../../../../client/web/page/game/share_link.ts";

const start = { fen: "", variant: Variant.STANDARD };

describe("ShareLink", () => {
  it.each<[string, SharedState]>([
    ["moves", { start, moves: ["e2e4", "e7e5"], ply: 2, flipped: false }],
    ["a position within the moves", { start, moves: ["e2e4", "e7e5"], ply: 1, flipped: true }],
    [
      "a Chess960 position",
      {
        start: { fen: "bqnb1rkr/8/8/8/8/8/8/BQNB1RKR w HFhf - 0 1", variant: Variant.CHESS960 },
        moves: [],
        ply: 0,
        flipped: false,
      },
    ],
    [
      "a promotion",
      {
        start: { fen: "8/P7/8/8/8/8/8/k1K5 w - - 0 1", variant: Variant.STANDARD },
        moves: ["a7a8q"],
        ply: 1,
        flipped: false,
      },
    ],
  ])("gives back %s", (_, state) => {
    const hash = formatShareHash(state);
    expect(parseShareHash(hash)).toEqual(state);
    // An address may come back with its characters escaped.
    expect(parseShareHash(new URL(`http://x/${hash}`).hash)).toEqual(state);
  });

  it("is empty for the starting position", () => {
    expect(formatShareHash({ start, moves: [], ply: 0, flipped: false })).toBe("");
    expect(parseShareHash("")).toBeNull();
    expect(parseShareHash("#")).toBeNull();
  });

  it("says which move is none", () => {
    expect(() => parseShareHash("#moves=e2e4,e9e5")).toThrow("move 2, “e9e5”");
  });

  it("refuses a ply beyond the moves", () => {
    expect(() => parseShareHash("#moves=e2e4&ply=2")).toThrow("ply");
    expect(() => parseShareHash("#moves=e2e4&ply=-1")).toThrow("ply");
    expect(() => parseShareHash("#moves=e2e4&ply=x")).toThrow("ply");
  });
});
