import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Game } from "../../../../../client/web/page/game/game.ts";
import { GameTree, movesTo } from "../../../../../client/web/page/game/game_tree.ts";
import { Positions } from "../../../../../client/web/page/game/positions.ts";
import { facts } from "../legal_moves.ts";

describe("Game", () => {
  let failure: ConnectError | undefined;
  let gone: number;
  let game: Game;
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const shown = () => movesTo(game.current.value).join(" ");

  beforeEach(() => {
    vi.useFakeTimers();
    [failure, gone] = [undefined, 0];
    const positions = new Positions(async ({ moves }) => {
      if (failure) throw failure;
      return facts(moves.join(" "));
    });
    game = new Game(positions, () => gone++);
    game.open(new GameTree());
  });
  afterEach(() => void vi.useRealTimers());

  it("goes back and forth", () => {
    game.play("e2e4", "e4");
    game.play("e7e5", "e5");
    game.back();
    expect(shown()).toBe("e2e4");
    game.toStart();
    game.back();
    expect(shown()).toBe("");
    game.toEnd();
    game.forward();
    expect(shown()).toBe("e2e4 e7e5");
  });

  it("goes from variation to variation", () => {
    game.play("e2e4", "e4");
    game.toStart();
    game.play("d2d4", "d4");
    game.toSibling(1);
    expect(shown()).toBe("d2d4");
    game.toSibling(-1);
    expect(shown()).toBe("e2e4");
  });

  it("plays a whole line", () => {
    game.playLine(game.tree.value.root, [
      { uci: "e2e4", san: "e4" },
      { uci: "e7e5", san: "e5" },
    ]);
    expect(shown()).toBe("e2e4 e7e5");
    expect(game.tree.value.root.children[0]!.children[0]!.san).toBe("e5");
  });

  it("leaves a part that is removed", () => {
    game.play("e2e4", "e4");
    game.play("e7e5", "e5");
    const e4 = game.current.value.parent!;
    game.remove(e4);
    expect(shown()).toBe("");
    expect(game.tree.value.root.children).toEqual([]);
  });

  it("has facts of the node shown, and of no other", async () => {
    game.play("e2e4", "e4");
    expect(game.facts.value).toBeUndefined();
    await settle();
    expect(game.facts.value?.fen).toBe("e2e4");
    game.play("e7e5", "e5");
    game.back();
    await settle();
    expect(game.facts.value?.fen).toBe("e2e4");
  });

  it("keeps a move that was played while the server is gone, and asks again until it is back", async () => {
    failure = new ConnectError("gone", Code.Unavailable);
    game.play("e2e4", "e4");
    await settle();
    expect(game.problem.value?.kind).toBe("gone");
    expect(gone).toBe(1);
    expect(shown()).toBe("e2e4");
    failure = undefined;
    await vi.advanceTimersByTimeAsync(1000);
    expect(game.facts.value?.fen).toBe("e2e4");
    expect(game.problem.value).toBeUndefined();
  });

  it("asks at once when told that the server is back", async () => {
    failure = new ConnectError("gone", Code.Unavailable);
    game.play("e2e4", "e4");
    await settle();
    failure = undefined;
    game.retry();
    await settle();
    expect(game.facts.value?.fen).toBe("e2e4");
  });

  it("does not insist on a position that is refused", async () => {
    failure = new ConnectError("no king", Code.InvalidArgument);
    game.play("e2e4", "e4");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(game.problem.value).toMatchObject({ kind: "refused", message: "no king" });
    expect(gone).toBe(0);
  });
});
