import { describe, expect, it } from "vitest";

import { GameTree, lineThrough, movesTo, whiteToMoveAt } from "../../../../../client/web/page/game/game_tree.ts";
import { Variant } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";

function ruyWithSicilian() {
  const tree = new GameTree();
  const e4 = tree.play(tree.root, "e2e4", "e4");
  const e5 = tree.play(e4, "e7e5", "e5");
  const nf3 = tree.play(e5, "g1f3", "Nf3");
  const c5 = tree.play(e4, "c7c5", "c5");
  return { tree, e4, e5, nf3, c5 };
}

describe("GameTree", () => {
  it("keeps the first continuation as the main line", () => {
    const { tree, e4, e5, nf3 } = ruyWithSicilian();
    expect(lineThrough(tree.root)).toEqual([e4, e5, nf3]);
  });

  it("finds a move that was played before instead of adding it again", () => {
    const { tree, e4, c5 } = ruyWithSicilian();
    expect(tree.play(e4, "c7c5", "c5")).toBe(c5);
    expect(e4.children).toHaveLength(2);
  });

  it("makes a variation the main line all the way up", () => {
    const { tree, e4, c5 } = ruyWithSicilian();
    const d4 = tree.play(tree.root, "d2d4", "d4");
    tree.promote(c5);
    expect(lineThrough(tree.root)).toEqual([e4, c5]);
    tree.promote(d4);
    expect(lineThrough(tree.root)).toEqual([d4]);
  });

  it("removes a move with all that follows it", () => {
    const { tree, e4, e5, c5 } = ruyWithSicilian();
    tree.remove(e5);
    expect(lineThrough(tree.root)).toEqual([e4, c5]);
  });

  it("lists the moves to a node in a variation", () => {
    const { c5, nf3 } = ruyWithSicilian();
    expect(movesTo(c5)).toEqual(["e2e4", "c7c5"]);
    expect(movesTo(nf3)).toEqual(["e2e4", "e7e5", "g1f3"]);
  });

  it("knows whose move it is, also when Black begins", () => {
    const { tree, e4, c5 } = ruyWithSicilian();
    expect([tree.root, e4, c5].map((node) => whiteToMoveAt(tree, node))).toEqual([true, false, true]);
    const black = new GameTree({ fen: "4k3/8/8/8/8/8/8/4K3 b - - 0 1", variant: Variant.STANDARD });
    expect(whiteToMoveAt(black, black.root)).toBe(false);
  });
});
