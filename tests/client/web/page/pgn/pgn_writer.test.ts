import { describe, expect, it } from "vitest";

import { GameStatus, Variant } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";
import { GameTree } from "../../../../../client/web/page/game/game_tree.ts";
import { readPgn } from "../../../../../client/web/page/pgn/pgn_reader.ts";
import { resultOf, writePgn } from "../../../../../client/web/page/pgn/pgn_writer.ts";

const movesOf = (pgn: string) => pgn.split("\n\n")[1]!.trim();

describe("writePgn", () => {
  it("numbers moves, and Black's again after an interruption", () => {
    const tree = new GameTree();
    const e4 = tree.play(tree.root, "e2e4", "e4");
    const e5 = tree.play(e4, "e7e5", "e5");
    tree.play(e5, "g1f3", "Nf3");
    const c5 = tree.play(e4, "c7c5", "c5");
    tree.play(c5, "g1f3", "Nf3");
    e4.comment = "best by test";
    e4.nags = [1];
    expect(movesOf(writePgn(tree, "1-0"))).toBe("1. e4 $1 {best by test} 1... e5 (1... c5 2. Nf3) 2. Nf3 1-0");
  });

  it("begins with Black where Black begins", () => {
    const tree = new GameTree({ fen: "4k3/8/8/8/8/8/8/4K3 b - - 0 12", variant: Variant.STANDARD });
    const first = tree.play(tree.root, "e8e7", "Ke7");
    tree.play(first, "e1e2", "Ke2");
    const pgn = writePgn(tree);
    expect(movesOf(pgn)).toBe("12... Ke7 13. Ke2 *");
    expect(pgn).toContain('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K3 b - - 0 12"]');
  });

  it("names the variant", () => {
    expect(writePgn(new GameTree({ fen: "", variant: Variant.CHESS960 }))).toContain('[Variant "Chess960"]');
  });

  it("writes what the reader reads", () => {
    const tree = new GameTree(undefined, new Map([["White", 'A "B" \\ C']]));
    let node = tree.root;
    for (let count = 0; count < 60; count++) {
      const other = tree.play(node, `x${count}`, "Nf6");
      node = tree.play(node, `y${count}`, "Nf3");
      tree.promote(node);
      other.comment = `comment ${count} (with parentheses)`;
    }
    const pgn = writePgn(tree, "1/2-1/2");
    expect(Math.max(...pgn.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const game = readPgn(pgn);
    expect(game.headers.get("White")).toBe('A "B" \\ C');
    expect(game.moves).toHaveLength(60);
    expect(game.moves[59]!.variations[0]![0]!.comment).toBe("comment 59 (with parentheses)");
    expect(game.result).toBe("1/2-1/2");
  });
});

describe("resultOf", () => {
  it("gives the game to the side that mates", () => {
    expect(resultOf(GameStatus.CHECKMATE, true)).toBe("0-1");
    expect(resultOf(GameStatus.CHECKMATE, false)).toBe("1-0");
  });

  it("does not end a game that could only be claimed", () => {
    expect(resultOf(GameStatus.THREEFOLD_REPETITION, true)).toBe("*");
    expect(resultOf(GameStatus.STALEMATE, true)).toBe("1/2-1/2");
  });
});
