import { describe, expect, it } from "vitest";

import { positionHeaders, positionKey } from "../../../../client/web/gateway/position_key.ts";

const START = { fen: "", moves: [] as string[], variant: 0 };

describe("positionKey", () => {
  it("is what the other clients make", () => {
    // tests/client/position_key_test.cc has the same ones.
    expect(positionKey(START)).toBe("a4618d5705d2764e");
    expect(positionKey({ ...START, moves: ["e2e4"] })).toBe("e00dedeb20e3dbf4");
    expect(positionKey({ ...START, moves: ["e2e4"], variant: 2 })).toBe("b6308474f263f5c7");
  });

  it("knows a position with any clocks", () => {
    const key = positionKey({ ...START, fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1" });
    expect(positionKey({ ...START, fen: "4k3/8/8/8/8/8/8/4K2R  w K - 13 40" })).toBe(key);
  });

  it("is sent with what is about a position only", () => {
    expect(positionHeaders({ position: START })).toEqual({ "x-position-key": positionKey(START) });
    expect(positionHeaders({})).toEqual({});
  });
});
