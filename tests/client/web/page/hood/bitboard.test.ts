import { describe, expect, it } from "vitest";

import { bitIsSet, formatBits } from "../../../../../client/web/page/hood/bitboard.tsx";

describe("Bitboard", () => {
  it("counts bits from a1 to h8", () => {
    const corners = 0x8000_0000_0000_0001n;
    expect([0, 1, 62, 63].map((index) => bitIsSet(corners, index))).toEqual([true, false, false, true]);
  });

  it("shows all sixteen digits", () => expect(formatBits(0xffn)).toBe("0x00000000000000ff"));
});
