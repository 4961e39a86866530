import { describe, expect, it } from "vitest";

import {
  EMPTY_PLACEMENT,
  formatFen,
  formatPlacement,
  parseFen,
  parsePlacement,
  passMove,
  START_FEN,
} from "../../../../../client/web/page/game/fen_fields.ts";

describe("FenFields", () => {
  it("reads and writes the same FEN", () => {
    const fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq e3 5 17";
    expect(formatFen(parseFen(fen))).toBe(fen);
  });

  it("fills in what is missing", () => {
    expect(formatFen(parseFen("8/8/8/8/8/8/8/8"))).toBe("8/8/8/8/8/8/8/8 w - - 0 1");
    expect(formatFen(parseFen(""))).toBe(`${EMPTY_PLACEMENT} w - - 0 1`);
  });

  it("passes the move without leaving an en-passant square", () => {
    expect(passMove("8/8/8/8/4Pp2/8/8/4K2k b - e3 0 3")).toBe("8/8/8/8/4Pp2/8/8/4K2k w - - 0 3");
  });

  it("reads and writes the same placement", () => {
    const placement = START_FEN.split(" ")[0]!;
    const pieces = parsePlacement(placement);
    expect(pieces.get("e1")).toBe("K");
    expect(pieces.get("d8")).toBe("q");
    expect(pieces.size).toBe(32);
    expect(formatPlacement(pieces)).toBe(placement);
    expect(formatPlacement(new Map())).toBe(EMPTY_PLACEMENT);
  });
});
