// The review of the game's main line, by one call. Another main line ends it.

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { computed, effect, signal, untracked } from "@preact/signals";

import {
  type AnalyzeGameRequest,
  AnalyzeGameRequestSchema,
  type AnalyzeGameResponse,
  type AnalyzeGameResponse_Summary as Summary,
  type Assessment,
  type PlyReview,
} from "../../generated/kibitz/v1/analysis_pb.ts";
import { Color, GameStatus } from "../../generated/kibitz/v1/position_pb.ts";
import type { Evaluations } from "../analysis/evaluations.ts";
import { Pacer } from "../analysis/pacer.ts";
import { evaluate, evaluateEnd } from "../analysis/score.ts";
import type { Game } from "../game/game.ts";
import { type GameNode, lineThrough } from "../game/game_tree.ts";
import { writePgn } from "../pgn/pgn_writer.ts";
import { describeFailure } from "../rpc/failure.ts";

export type AnalyzeGameCall = (request: AnalyzeGameRequest, signal: AbortSignal) => AsyncIterable<AnalyzeGameResponse>;

export type ReviewState =
  | { kind: "idle" }
  | { kind: "queued"; place: number }
  | { kind: "running"; done: number; all: number; secondsLeft?: number }
  | { kind: "failed"; message: string };

/** A move that decided something. */
export interface Moment {
  /** The position in which it was played. */
  before: GameNode;
  review: PlyReview;
}

/** Positions searched for each move, and what that is called. */
export const BUDGETS: readonly [nodes: number, name: string][] = [
  [20_000, "quick"],
  [100_000, "normal"],
  [500_000, "thorough"],
];

const REDRAW_INTERVAL_MS = 100;

export class Review {
  readonly state = signal<ReviewState>({ kind: "idle" });
  readonly nodesPerMove = signal(100_000);
  /** Undefined until a review has come to its end. */
  readonly summary = signal<Summary | undefined>(undefined);
  /** The moments of the summary, in the order of the game. */
  readonly moments = computed<readonly Moment[]>(() => this.#findMoments());
  readonly running = computed(() => this.state.value.kind === "queued" || this.state.value.kind === "running");
  /** Grows with the moves that are reviewed. */
  readonly #revision = signal(0);
  readonly #pacer = new Pacer<void>(REDRAW_INTERVAL_MS, () => this.#revision.value++);
  readonly #plies = new Map<GameNode, PlyReview>();
  #line: readonly GameNode[] = [];
  #abort = new AbortController();

  constructor(
    private readonly call: AnalyzeGameCall,
    private readonly game: Game,
    private readonly evaluations: Evaluations,
    private readonly onGone: () => void = () => {},
  ) {
    effect(() => this.#follow());
  }

  /** What was found of the move that leads to a node. */
  of(node: GameNode): PlyReview | undefined {
    void this.#revision.value;
    return this.#plies.get(node);
  }

  async run(): Promise<void> {
    this.#forget();
    const { signal: stop } = (this.#abort = new AbortController());
    this.#line = lineThrough(this.game.tree.value.root);
    this.state.value = { kind: "running", done: 0, all: this.#line.length + 1 };
    try {
      for await (const { event } of this.call(this.#request(), stop)) {
        if (stop.aborted) return;
        this.#take(event);
      }
      if (stop.aborted) return;
      if (!this.summary.value) throw new ConnectError("the stream broke off", Code.Unavailable);
      this.state.value = { kind: "idle" };
    } catch (error) {
      if (stop.aborted) return;
      const failure = describeFailure(error);
      if (failure.kind === "gone") this.onGone();
      this.state.value = { kind: "failed", message: failure.message };
    }
  }

  /** Ends a review that is under way; what it found stays on show. */
  cancel(): void {
    this.#abort.abort();
    if (this.running.value) this.state.value = { kind: "idle" };
  }

  #request(): AnalyzeGameRequest {
    const tree = this.game.tree.value;
    return create(AnalyzeGameRequestSchema, {
      // With names, comments and variations, which come back with what was found.
      game: { case: "pgn", value: writePgn(tree, tree.headers.get("Result")) },
      budget: { nodesPerMove: BigInt(this.nodesPerMove.value) },
    });
  }

  #take(event: AnalyzeGameResponse["event"]): void {
    if (event.case === "queued") this.state.value = { kind: "queued", place: event.value.place };
    if (event.case === "progress") {
      const { positions: done, totalPositions: all, remaining } = event.value;
      this.state.value = { kind: "running", done, all, secondsLeft: remaining && Number(remaining.seconds) };
    }
    if (event.case === "ply" && event.value.review) this.#record(event.value.review);
    if (event.case === "summary") this.summary.value = event.value;
  }

  #record(review: PlyReview): void {
    const node = this.#line[review.ply - 1];
    if (!node?.parent) return;
    this.#plies.set(node, review);
    const white = review.side === Color.WHITE;
    this.evaluations.record(node.parent, evaluate(review.before?.score, white), review.before?.depth ?? 0);
    this.evaluations.record(node, evaluateAfter(review.after, white), review.after?.depth ?? 0);
    this.#pacer.offer();
  }

  #findMoments(): Moment[] {
    const plies = [...(this.summary.value?.moments ?? [])].sort((a, b) => a - b);
    return plies.flatMap((ply) => {
      const node = this.#line[ply - 1];
      const review = node && this.#plies.get(node);
      return node?.parent && review ? [{ before: node.parent, review }] : [];
    });
  }

  /** Moves that are added behind the line end a review that is under way, but take nothing from one that is done. */
  #follow(): void {
    void this.game.revision.value;
    const line = lineThrough(this.game.tree.value.root);
    untracked(() => {
      if (this.#line.some((node, index) => node !== line[index])) this.#forget();
      else if (line.length > this.#line.length) this.cancel();
    });
  }

  #forget(): void {
    this.cancel();
    this.#line = [];
    this.#plies.clear();
    this.#revision.value++;
    this.summary.value = undefined;
    this.state.value = { kind: "idle" };
  }
}

/** A mate in no moves was given by the side that has moved. */
function evaluateAfter(after: Assessment | undefined, white: boolean) {
  const value = after?.score?.value;
  const mated = value?.case === "mateInMoves" && value.value === 0;
  return mated ? evaluateEnd(GameStatus.CHECKMATE, !white) : evaluate(after?.score, white);
}
