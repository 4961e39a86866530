import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import {
  type AnalyzeRequest,
  type AnalyzeResponse,
  AnalyzeResponseSchema,
} from "../../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import { Color, GameStatus } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";
import { Evaluations } from "../../../../../client/web/page/analysis/evaluations.ts";
import { Game } from "../../../../../client/web/page/game/game.ts";
import { type GameNode, GameTree } from "../../../../../client/web/page/game/game_tree.ts";
import { Positions } from "../../../../../client/web/page/game/positions.ts";
import { Lesson } from "../../../../../client/web/page/review/lesson.ts";
import { Review } from "../../../../../client/web/page/review/review.ts";
import { FakeStream } from "../fake_stream.ts";
import { facts, legalMoves } from "../legal_moves.ts";
import { centipawns, mate, ply, summary } from "./reviews.ts";

describe("Lesson", () => {
  let requests: AnalyzeRequest[];
  let streams: FakeStream<AnalyzeResponse>[];
  let game: Game;
  let e4: GameNode;
  let e5: GameNode;
  let review: Review;
  let lesson: Lesson;
  const settle = () => vi.advanceTimersByTimeAsync(150);
  const move = (pair: string) => legalMoves(pair)[0]!;

  const final = (score?: ReturnType<typeof centipawns> | ReturnType<typeof mate>, status = GameStatus.ONGOING) =>
    create(AnalyzeResponseSchema, {
      event: { case: "final", value: { status, result: { lines: score ? [{ rank: 1, score }] : [] } } },
    });

  beforeEach(async () => {
    vi.useFakeTimers();
    [requests, streams] = [[], []];
    game = new Game(new Positions(async () => facts("x w")));
    const tree = new GameTree();
    e4 = tree.play(tree.root, "e2e4", "e4");
    e5 = tree.play(e4, "e7e5", "e5");
    game.open(tree, e5);
    review = new Review(
      async function* () {
        yield ply({ ply: 1, side: Color.WHITE, uci: "e2e4", san: "e4", bestLine: { pvUci: ["d2d4"] } });
        yield ply({
          ply: 2,
          side: Color.BLACK,
          uci: "e7e5",
          san: "e5",
          before: { winningChance: 0.2 },
          bestLine: { pvUci: ["c7c5", "g1f3"] },
          alternatives: [
            { pvUci: ["c7c6"], score: centipawns(80) },
            { pvUci: ["f7f6"], score: centipawns(-200) },
          ],
        });
        yield summary({ moments: [2, 1] });
      },
      game,
      new Evaluations(),
    );
    lesson = new Lesson(
      (request, signal) => {
        requests.push(request);
        const stream = new FakeStream<AnalyzeResponse>(signal);
        streams.push(stream);
        return stream;
      },
      game,
      review,
    );
    await review.run();
    lesson.begin();
    lesson.go(1);
  });
  afterEach(() => void vi.useRealTimers());

  it("puts the position before each moment on the board", () => {
    expect(game.current.value).toBe(e4);
    lesson.go(0);
    expect(game.current.value).toBe(game.tree.value.root);
    expect(lesson.asking.value).toBe(true);
  });

  it.each([
    ["c5 c7c5", "best"],
    ["e5 e7e5", "played"],
    ["c6 c7c6", "fine"],
    ["f6 f7f6", "bad"],
  ] as const)("judges %s, which the review knows, without a question: %s", async (pair, verdict) => {
    await lesson.judge(move(pair));
    expect(lesson.step.value).toMatchObject({ kind: "judged", verdict });
    expect(requests).toEqual([]);
    expect(lesson.asking.value).toBe(false);
  });

  // Before the move Black's chance was 0.2. The score is that of White, who is to move after the try.
  it.each([
    [centipawns(-60), "fine"],
    [centipawns(-20), "bad"],
    [mate(3), "bad"],
    [mate(-2), "fine"],
  ])("asks the server about another move: %j", async (score, verdict) => {
    void lesson.judge(move("d5 d7d5"));
    expect(lesson.step.value).toEqual({ kind: "judging", san: "d5" });
    expect(lesson.asking.value).toBe(true);
    expect(requests[0]).toMatchObject({ position: { moves: ["e2e4", "d7d5"] }, limits: { nodes: 100_000n } });
    streams[0]!.push(final(score));
    await settle();
    expect(lesson.step.value).toEqual({ kind: "judged", san: "d5", verdict });
  });

  it.each([
    [GameStatus.CHECKMATE, "fine"],
    [GameStatus.STALEMATE, "bad"],
  ])("knows what a move is worth that ends the game: %s", async (status, verdict) => {
    void lesson.judge(move("d5 d7d5"));
    streams[0]!.push(final(undefined, status));
    await settle();
    expect(lesson.step.value).toMatchObject({ kind: "judged", verdict });
  });

  it("cancels the question when another move is tried, another moment shown or the lesson left", () => {
    const tries = [() => void lesson.judge(move("d6 d7d6")), () => lesson.go(0), () => lesson.leave()];
    for (const [index, next] of tries.entries()) {
      void lesson.judge(move("d5 d7d5"));
      const stream = streams.at(-1)!;
      next();
      expect([index, stream.signal.aborted]).toEqual([index, true]);
      if (index === 1) lesson.go(1);
    }
  });

  it("says when the server does not answer", async () => {
    void lesson.judge(move("d5 d7d5"));
    streams[0]!.push(new ConnectError("gone", Code.Unavailable));
    await settle();
    expect(lesson.step.value).toEqual({ kind: "failed", message: "The analysis server does not answer." });
  });

  it("takes moves for tries only where the moment is on the board", () => {
    expect(lesson.onBoard.value).toBe(true);
    game.goTo(e5);
    expect(lesson.onBoard.value).toBe(false);
    lesson.showPosition();
    expect(lesson.onBoard.value).toBe(true);
  });

  it("shows the answer to those who give up", () => {
    lesson.showAnswer();
    expect(lesson.step.value).toEqual({ kind: "shown" });
    expect(lesson.asking.value).toBe(false);
  });

  it("ends with its review", () => {
    game.remove(e4);
    expect(lesson.moment.value).toBeUndefined();
  });
});
