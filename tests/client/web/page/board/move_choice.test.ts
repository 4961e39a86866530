import { describe, expect, it } from "vitest";

import { movesBetween, targetsFrom } from "../../../../../client/web/page/board/move_choice.ts";
import { facts } from "../legal_moves.ts";

const ucis = (position: ReturnType<typeof facts>, from: string, to: string) =>
  movesBetween(position, from, to).map((move) => move.uci);

describe("movesBetween", () => {
  it("finds a move, or none", () => {
    const position = facts("x w", "e4 e2e4", "e3 e2e3");
    expect(ucis(position, "e2", "e4")).toEqual(["e2e4"]);
    expect(ucis(position, "e2", "e5")).toEqual([]);
    expect(movesBetween(undefined, "e2", "e4")).toEqual([]);
  });

  it("finds all promotions", () => {
    const position = facts("x w", "a8=Q a7a8q", "a8=N a7a8n");
    expect(ucis(position, "a7", "a8")).toEqual(["a7a8q", "a7a8n"]);
  });

  it("castles onto the rook where notation names the king's square", () => {
    const position = facts("x w", "O-O e1g1", "O-O-O e1c1", "Kf1 e1f1");
    expect(ucis(position, "e1", "g1")).toEqual(["e1g1"]);
    expect(ucis(position, "e1", "h1")).toEqual(["e1g1"]);
    expect(ucis(position, "e1", "a1")).toEqual(["e1c1"]);
  });

  it("castles to the king's square where notation names the rook, unless the king could just step there", () => {
    const position = facts("x w", "O-O d1h1", "O-O-O d1a1", "Kc1 d1c1");
    expect(ucis(position, "d1", "h1")).toEqual(["d1h1"]);
    expect(ucis(position, "d1", "g1")).toEqual(["d1h1"]);
    expect(ucis(position, "d1", "c1")).toEqual(["d1c1"]);
  });
});

describe("targetsFrom", () => {
  it("names each square once", () => {
    expect(targetsFrom(facts("x w", "a8=Q a7a8q", "a8=N a7a8n", "axb8=Q a7b8q"), "a7")).toEqual(["a8", "b8"]);
  });
});
