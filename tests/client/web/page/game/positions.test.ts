import { describe, expect, it } from "vitest";

import { STANDARD_START } from "../../../../../client/web/page/game/game_tree.ts";
import { Positions } from "../../../../../client/web/page/game/positions.ts";
import { facts } from "../legal_moves.ts";

describe("Positions", () => {
  it("asks once and remembers", async () => {
    let asked = 0;
    const positions = new Positions(async ({ moves }) => (asked++, facts(moves.join(" "))));
    expect(positions.peek(STANDARD_START, ["e2e4"])).toBeUndefined();
    const answer = await positions.get(STANDARD_START, ["e2e4"]);
    expect(await positions.get(STANDARD_START, ["e2e4"])).toBe(answer);
    expect(positions.peek(STANDARD_START, ["e2e4"])).toBe(answer);
    expect(asked).toBe(1);
  });

  it("does not mix up positions with the same moves from other starts", async () => {
    const positions = new Positions(async ({ fen, moves }) => facts(`${fen}+${moves.length}`));
    await positions.get(STANDARD_START, ["e2e4"]);
    const other = await positions.get({ ...STANDARD_START, fen: "x" }, ["e2e4"]);
    expect(other.fen).toBe("x+1");
  });

  it("asks again after a failure", async () => {
    let asked = 0;
    const positions = new Positions(async () => {
      if (asked++ === 0) throw new Error("gone");
      return facts("fen");
    });
    await expect(positions.get(STANDARD_START, [])).rejects.toThrow("gone");
    expect((await positions.get(STANDARD_START, [])).fen).toBe("fen");
  });

  it("forgets the oldest rather than grow for ever", async () => {
    const positions = new Positions(async () => facts("fen"));
    for (let count = 0; count < 5000; count++) await positions.get(STANDARD_START, [String(count)]);
    expect(positions.peek(STANDARD_START, ["0"])).toBeUndefined();
    expect(positions.peek(STANDARD_START, ["4999"])).toBeDefined();
  });
});
