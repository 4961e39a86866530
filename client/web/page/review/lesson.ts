// Learning from a review: each of its moments is put on the board, a move is tried there, and judged.

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { batch, computed, effect, signal, untracked } from "@preact/signals";

import { AnalyzeRequestSchema } from "../../generated/kibitz/v1/analysis_pb.ts";
import { Color, type Move } from "../../generated/kibitz/v1/position_pb.ts";
import type { AnalyzeCall } from "../analysis/analyzer.ts";
import { type Evaluation, evaluate, evaluateEnd, winningChance } from "../analysis/score.ts";
import type { Game } from "../game/game.ts";
import { movesTo } from "../game/game_tree.ts";
import { toPosition } from "../game/positions.ts";
import { describeFailure } from "../rpc/failure.ts";
import type { Moment, Review } from "./review.ts";

export type Verdict = "best" | "fine" | "played" | "bad";

export type LessonStep =
  | { kind: "asking" }
  | { kind: "judging"; san: string }
  | { kind: "judged"; san: string; verdict: Verdict }
  | { kind: "shown" }
  | { kind: "failed"; message: string };

/** What a move may lose in winning chances and still be fine: less than an inaccuracy. */
const FINE_LOSS = 0.1;
const TRY_NODES = 100_000n;

export class Lesson {
  /** Empty while there is no lesson. */
  readonly moments = signal<readonly Moment[]>([]);
  readonly index = signal(0);
  readonly step = signal<LessonStep>({ kind: "asking" });
  readonly moment = computed<Moment | undefined>(() => this.moments.value[this.index.value]);
  /** The position of the moment is on the board: a move there is a try. */
  readonly onBoard = computed(() => this.moment.value?.before === this.game.current.value);
  /** The answer is not to be seen yet. */
  readonly asking = computed(() => this.onBoard.value && ["asking", "judging"].includes(this.step.value.kind));
  #abort = new AbortController();

  constructor(
    private readonly call: AnalyzeCall,
    private readonly game: Game,
    private readonly review: Review,
  ) {
    effect(() => {
      if (!this.review.summary.value) untracked(() => this.leave());
    });
  }

  begin(): void {
    this.moments.value = this.review.moments.value;
    this.go(0);
  }

  /** Puts a moment on the board. */
  go(index: number): void {
    this.#abort.abort();
    batch(() => {
      this.index.value = index;
      this.step.value = { kind: "asking" };
      this.showPosition();
    });
  }

  showPosition(): void {
    if (this.moment.value) this.game.goTo(this.moment.value.before);
  }

  /** Gives up: the better line is shown without a try. */
  showAnswer(): void {
    this.#abort.abort();
    this.step.value = { kind: "shown" };
  }

  leave(): void {
    this.#abort.abort();
    this.moments.value = [];
  }

  /** Judges a move that was tried on the board. */
  async judge(move: Move): Promise<void> {
    const moment = this.moment.value;
    if (!moment) return;
    this.#abort.abort();
    const { signal: stop } = (this.#abort = new AbortController());
    this.step.value = { kind: "judging", san: move.san };
    try {
      const verdict = await this.#verdict(moment, move.uci, stop);
      if (!stop.aborted) this.step.value = { kind: "judged", san: move.san, verdict };
    } catch (error) {
      if (!stop.aborted) this.step.value = { kind: "failed", message: describeFailure(error).message };
    }
  }

  async #verdict({ before, review }: Moment, uci: string, stop: AbortSignal): Promise<Verdict> {
    if (uci === review.bestLine?.pvUci[0]) return "best";
    if (uci === review.uci) return "played";
    const white = review.side === Color.WHITE;
    const known = review.alternatives.find((line) => line.pvUci[0] === uci);
    const evaluation =
      evaluate(known?.score, white) ?? (await this.#evaluateAfter([...movesTo(before), uci], white, stop));
    const loss = (review.before?.winningChance ?? 0) - winningChance(evaluation, white);
    return loss < FINE_LOSS ? "fine" : "bad";
  }

  /** What the position after these moves is worth, of which the last was made by the side that is given. */
  async #evaluateAfter(moves: string[], white: boolean, stop: AbortSignal): Promise<Evaluation> {
    const position = toPosition(this.game.tree.value.start, moves);
    const request = create(AnalyzeRequestSchema, { position, limits: { nodes: TRY_NODES } });
    for await (const { event } of this.call(request, stop)) {
      if (event.case !== "final") continue;
      const { status, result } = event.value;
      const evaluation = evaluateEnd(status, !white) ?? evaluate(result?.lines[0]?.score, !white);
      if (evaluation) return evaluation;
    }
    throw new ConnectError("the stream broke off", Code.Unavailable);
  }
}
