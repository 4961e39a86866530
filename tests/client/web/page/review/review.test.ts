import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import {
  type AnalyzeGameRequest,
  type AnalyzeGameResponse,
  Judgement,
} from "../../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import { Color, Variant } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";
import { Evaluations } from "../../../../../client/web/page/analysis/evaluations.ts";
import { Game } from "../../../../../client/web/page/game/game.ts";
import { type GameNode, GameTree } from "../../../../../client/web/page/game/game_tree.ts";
import { Positions } from "../../../../../client/web/page/game/positions.ts";
import { markOf } from "../../../../../client/web/page/review/judgements.ts";
import { Review } from "../../../../../client/web/page/review/review.ts";
import { FakeStream } from "../fake_stream.ts";
import { facts } from "../legal_moves.ts";
import { centipawns, mate, ply, progress, queued, summary } from "./reviews.ts";

describe("Review", () => {
  let requests: AnalyzeGameRequest[];
  let streams: FakeStream<AnalyzeGameResponse>[];
  let gone: number;
  let game: Game;
  let evaluations: Evaluations;
  let review: Review;
  let f3: GameNode;
  let e5: GameNode;
  const settle = () => vi.advanceTimersByTimeAsync(150);

  beforeEach(() => {
    vi.useFakeTimers();
    [requests, streams, gone] = [[], [], 0];
    game = new Game(new Positions(async () => facts("x w")));
    const tree = new GameTree({ fen: "some fen", variant: Variant.CHESS960 });
    f3 = tree.play(tree.root, "f2f3", "f3");
    e5 = tree.play(f3, "e7e5", "e5");
    tree.play(tree.root, "e2e4", "e4");
    game.open(tree);
    evaluations = new Evaluations();
    review = new Review(
      (request, signal) => {
        requests.push(request);
        const stream = new FakeStream<AnalyzeGameResponse>(signal);
        streams.push(stream);
        return stream;
      },
      game,
      evaluations,
      () => gone++,
    );
  });
  afterEach(() => void vi.useRealTimers());

  const blunder = ply({
    ply: 1,
    side: Color.WHITE,
    uci: "f2f3",
    judgement: Judgement.BLUNDER,
    before: { score: centipawns(20), depth: 9 },
    after: { score: centipawns(-90), depth: 8 },
  });

  async function runToTheEnd(): Promise<void> {
    void review.run();
    for (const event of [blunder, summary({ moments: [1] })]) streams.at(-1)!.push(event);
    streams.at(-1)!.end();
    await settle();
  }

  it("asks once, for the main line from its start, by the budget chosen", () => {
    review.nodesPerMove.value = 20_000;
    game.goTo(game.tree.value.root.children[1]!);
    void review.run();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      game: { case: "pgn" },
      budget: { nodesPerMove: 20_000n },
    });
    const pgn = requests[0]!.game.value as string;
    expect(pgn).toContain('[FEN "some fen"]');
    expect(pgn).toContain('[Variant "Chess960"]');
    expect(pgn).toMatch(/1\. f3 \(.*\) 1\.\.\. e5 \*/);
  });

  it("tells how far it has come", async () => {
    void review.run();
    expect(review.running.value).toBe(true);
    streams[0]!.push(queued(2));
    await settle();
    expect(review.state.value).toEqual({ kind: "queued", place: 2 });
    streams[0]!.push(progress(1, 3, 7n));
    await settle();
    expect(review.state.value).toEqual({ kind: "running", done: 1, all: 3, secondsLeft: 7 });
    streams[0]!.push(summary());
    streams[0]!.end();
    await settle();
    expect(review.state.value).toEqual({ kind: "idle" });
    expect(review.summary.value?.complete).toBe(true);
  });

  it("gives moves their marks and positions their scores, seen from White", async () => {
    void review.run();
    streams[0]!.push(blunder);
    streams[0]!.push(ply({ ply: 2, side: Color.BLACK, after: { score: mate(2) }, judgement: Judgement.BEST }));
    await settle();
    expect(markOf(review.of(f3))?.glyph).toBe("??");
    expect(markOf(review.of(e5))).toBeUndefined();
    expect(evaluations.of(game.tree.value.root)).toMatchObject({ centipawns: 20 });
    expect(evaluations.of(f3)).toMatchObject({ centipawns: -90 });
    expect(evaluations.of(e5)).toEqual({ mate: { by: "black", moves: 2 } });
  });

  it("knows who has mated", async () => {
    void review.run();
    streams[0]!.push(ply({ ply: 2, side: Color.BLACK, after: { score: mate(0) } }));
    await settle();
    expect(evaluations.of(e5)).toEqual({ mate: { by: "black", moves: 0 } });
  });

  it("lists the moments in the order of the game", async () => {
    void review.run();
    streams[0]!.push(blunder);
    streams[0]!.push(ply({ ply: 2, side: Color.BLACK }));
    streams[0]!.push(summary({ moments: [2, 1] }));
    await settle();
    expect(review.moments.value.map(({ before }) => before)).toEqual([game.tree.value.root, f3]);
  });

  it("ends the call when it is cancelled, and keeps what it found", async () => {
    void review.run();
    streams[0]!.push(blunder);
    await settle();
    review.cancel();
    await settle();
    expect(streams[0]!.signal.aborted).toBe(true);
    expect(review.state.value).toEqual({ kind: "idle" });
    expect(markOf(review.of(f3))?.glyph).toBe("??");
    expect(review.summary.value).toBeUndefined();
  });

  it("is not disturbed by a variation", async () => {
    void review.run();
    game.goTo(f3);
    game.play("d7d5", "d5");
    await settle();
    expect(streams[0]!.signal.aborted).toBe(false);
  });

  it.each([
    ["is played on", () => (game.goTo(e5), game.play("g2g4", "g4"))],
    ["is cut", () => game.remove(e5)],
    ["is another", () => game.promote(game.tree.value.root.children[1]!)],
    ["belongs to another game", () => game.open(new GameTree())],
  ])("ends when the main line %s", async (_, change) => {
    void review.run();
    change();
    await settle();
    expect(streams[0]!.signal.aborted).toBe(true);
    expect(review.running.value).toBe(false);
  });

  it("stays when its moves stay, and is forgotten with them", async () => {
    await runToTheEnd();
    game.goTo(e5);
    game.play("g2g4", "g4");
    expect(review.summary.value).toBeDefined();
    game.remove(f3);
    expect(review.summary.value).toBeUndefined();
    expect(review.of(f3)).toBeUndefined();
  });

  it("says what is wrong when it is refused", async () => {
    void review.run();
    streams[0]!.push(new ConnectError("too many moves", Code.InvalidArgument));
    await settle();
    expect(review.state.value).toEqual({ kind: "failed", message: "too many moves" });
    expect(gone).toBe(0);
  });

  it("notices a server that is gone, also when it says nothing of it", async () => {
    void review.run();
    streams[0]!.end();
    await settle();
    expect(review.state.value).toEqual({ kind: "failed", message: "The analysis server does not answer." });
    expect(gone).toBe(1);
  });

  it("forgets the review before when it runs again", async () => {
    await runToTheEnd();
    void review.run();
    expect(review.summary.value).toBeUndefined();
    expect(review.of(f3)).toBeUndefined();
    expect(requests).toHaveLength(2);
  });
});
