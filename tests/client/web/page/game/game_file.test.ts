import { beforeEach, describe, expect, it } from "vitest";

import { GameFile } from "../../../../../client/web/page/game/game_file.ts";

describe("GameFile", () => {
  let shown: string[];
  let file: GameFile;

  beforeEach(() => {
    shown = [];
    file = new GameFile(async (text) => {
      if (text.includes("Ke3")) throw new Error("Ke3 is not legal here");
      shown.push(text);
    });
  });

  const two = '[White "Ann"]\n[Event "Rome"]\n\n1. e4 *\n\n[White "Bob"]\n[Event "Oslo"]\n\n1. d4 *\n';

  it("shows the only game at once", async () => {
    await file.open(new File(["1. e4 e5 *"], "one.pgn"));
    expect(shown).toEqual(["1. e4 e5 *"]);
    expect(file.problem.value).toBe("");
  });

  it("lets one of many be chosen, and found by words", async () => {
    await file.open(new File([two], "two.pgn"));
    expect(shown).toEqual([]);
    expect(file.matching.value).toHaveLength(2);
    file.filter.value = "oslo bob";
    expect(file.matching.value.map((game) => game.title)).toEqual(["2. Bob – Black, Oslo"]);
    await file.choose(file.matching.value[0]!);
    expect(shown[0]).toContain("1. d4");
    file.filter.value = "oslo ann";
    expect(file.matching.value).toEqual([]);
  });

  it("reads what older programs write", async () => {
    await file.open(
      new File(
        [
          new Uint8Array([
            ...new TextEncoder().encode('[White "J'),
            0xf6,
            ...new TextEncoder().encode('rg"]\n\n1. e4 *'),
          ]),
        ],
        "old.pgn",
      ),
    );
    expect(shown[0]).toContain("Jörg");
  });

  it("says what is wrong", async () => {
    await file.open(new File([""], "empty.pgn"));
    expect(file.problem.value).toBe("There is no game in empty.pgn.");
    await file.open(new File(["1. e4 e5 2. Ke3"], "odd.pgn"));
    expect(file.problem.value).toBe("Ke3 is not legal here");
    const large = new File(["x"], "large.pgn");
    Object.defineProperty(large, "size", { value: 60_000_000 });
    await file.open(large);
    expect(file.problem.value).toContain("larger than 50 MB");
    expect(file.games.value).toEqual([]);
  });
});
