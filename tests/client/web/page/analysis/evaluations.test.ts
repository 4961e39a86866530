import { describe, expect, it } from "vitest";

import { Evaluations } from "../../../../../client/web/page/analysis/evaluations.ts";
import { GameTree } from "../../../../../client/web/page/game/game_tree.ts";

describe("Evaluations", () => {
  const { root } = new GameTree();

  it("keeps the deepest, and no bound in its place", () => {
    const evaluations = new Evaluations();
    evaluations.record(root, { centipawns: 10 }, 8);
    evaluations.record(root, { centipawns: 90 }, 4);
    expect(evaluations.of(root)).toEqual({ centipawns: 10 });
    evaluations.record(root, { centipawns: 70, bound: "lower" }, 12);
    expect(evaluations.of(root)).toEqual({ centipawns: 10 });
    evaluations.record(root, { centipawns: 20 }, 9);
    expect(evaluations.of(root)).toEqual({ centipawns: 20 });
  });

  it("tells of changes only", () => {
    const evaluations = new Evaluations();
    evaluations.record(root, undefined, 3);
    expect(evaluations.revision.value).toBe(0);
    evaluations.record(root, { centipawns: 1 }, 3);
    expect(evaluations.revision.value).toBe(1);
  });
});
