import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import {
  type AnalyzeRequest,
  AnalyzeResponseSchema,
} from "../../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import { Color } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";
import { Game } from "../../../../../client/web/page/game/game.ts";
import { GameTree, movesTo } from "../../../../../client/web/page/game/game_tree.ts";
import { Positions } from "../../../../../client/web/page/game/positions.ts";
import { Opponent } from "../../../../../client/web/page/play/opponent.ts";
import { facts } from "../legal_moves.ts";

describe("Opponent", () => {
  let requests: AnalyzeRequest[];
  let failure: ConnectError | undefined;
  let game: Game;
  let opponent: Opponent;
  const settle = () => vi.advanceTimersByTimeAsync(0);
  const moves = () => movesTo(game.current.value).join(" ");

  beforeEach(async () => {
    vi.useFakeTimers();
    [requests, failure] = [[], undefined];
    const positions = new Positions(async (position) => {
      const white = position.moves.length % 2 === 0;
      return white ? facts("x w", "e4 e2e4", "Nf3 g1f3") : facts("x b", "e5 e7e5");
    });
    game = new Game(positions);
    game.open(new GameTree());
    opponent = new Opponent(async function* (request) {
      requests.push(request);
      if (failure) throw failure;
      const bestMove = request.position!.moves.length % 2 === 0 ? "e2e4" : "e7e5";
      yield create(AnalyzeResponseSchema, { event: { case: "final", value: { bestMove } } });
    }, game);
    await settle();
  });
  afterEach(() => void vi.useRealTimers());

  const white = { human: Color.WHITE, elo: 1500, seconds: 2 } as const;

  it("answers a move, at the strength and in the time asked for", async () => {
    opponent.begin(white);
    await settle();
    expect(requests).toEqual([]);
    game.play("e2e4", "e4");
    await settle();
    expect(moves()).toBe("e2e4 e7e5");
    expect(requests[0]).toMatchObject({ strengthElo: 1500, limits: { movetime: { seconds: 2n } } });
  });

  it("begins where the player has Black", async () => {
    opponent.begin({ ...white, human: Color.BLACK });
    await settle();
    expect(moves()).toBe("e2e4");
  });

  it("plays at full strength, and says so, where the strength cannot be limited", async () => {
    failure = new ConnectError("strength_elo: not yet", Code.Unimplemented);
    opponent.begin(white);
    game.play("e2e4", "e4");
    await settle();
    expect(opponent.notice.value).toContain("cannot limit its strength");
    expect(requests.map((request) => request.strengthElo)).toEqual([1500, 0]);
    failure = undefined;
    expect(opponent.playing.value?.elo).toBe(0);
  });

  it("tries again when the server is gone", async () => {
    failure = new ConnectError("gone", Code.Unavailable);
    opponent.begin(white);
    game.play("e2e4", "e4");
    await settle();
    expect(opponent.state.value.kind).toBe("stuck");
    failure = undefined;
    await vi.advanceTimersByTimeAsync(1000);
    expect(moves()).toBe("e2e4 e7e5");
  });

  it("lets the player look back without playing on", async () => {
    opponent.begin(white);
    game.play("e2e4", "e4");
    await settle();
    game.back();
    await settle();
    expect(moves()).toBe("e2e4");
    expect(requests).toHaveLength(1);
  });

  it("plays no more when the game has ended", async () => {
    opponent.begin(white);
    opponent.end();
    game.play("e2e4", "e4");
    await settle();
    expect(moves()).toBe("e2e4");
  });
});
