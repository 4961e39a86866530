import { beforeEach, describe, expect, it } from "vitest";

import { Variant } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";
import { START_FEN } from "../../../../../client/web/page/game/fen_fields.ts";
import { Setup } from "../../../../../client/web/page/setup/setup.ts";

describe("Setup", () => {
  let setup: Setup;

  beforeEach(() => {
    setup = new Setup();
    setup.begin(START_FEN, Variant.STANDARD);
  });

  it("puts pieces on and takes them off", () => {
    setup.clear();
    setup.put("e1", "K");
    setup.put("e8", "k");
    setup.put("d4", "q");
    setup.put("d4", "q");
    expect(setup.fen()).toBe("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    setup.erase("e1");
    expect(setup.fen()).toBe("4k3/8/8/8/8/8/8/8 w - - 0 1");
  });

  it("moves pieces, over others too", () => {
    setup.move("d1", "d7");
    expect(setup.fen()).toBe("rnbqkbnr/pppQpppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
    setup.move("e4", "e5");
    setup.move("e1", "e1");
    expect(setup.fen()).toContain("RNB1KBNR");
  });

  it("does what the chosen tool does", () => {
    setup.apply("e2");
    expect(setup.fen()).toBe(START_FEN);
    setup.tool.value = "erase";
    setup.apply("e2");
    setup.tool.value = "N";
    setup.apply("e3");
    expect(setup.fen()).toContain("/4N3/PPPP1PPP/");
  });

  it("keeps castling rights in their order", () => {
    setup.toggleCastling("K");
    setup.toggleCastling("q");
    expect(setup.fields.value?.castling).toBe("Qk");
    setup.toggleCastling("K");
    expect(setup.fields.value?.castling).toBe("KQk");
    for (const right of "KQk") setup.toggleCastling(right);
    expect(setup.fields.value?.castling).toBe("-");
  });

  it("forgets an en-passant square when pieces change", () => {
    setup.begin("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", Variant.STANDARD);
    setup.put("a1", "R");
    expect(setup.fen()).toBe("4k3/8/8/8/4Pp2/8/8/R3K3 b - - 0 1");
  });

  it("does nothing when nothing is set up", () => {
    setup.end();
    setup.put("e4", "Q");
    setup.clear();
    expect(setup.fen()).toBe("");
  });
});
