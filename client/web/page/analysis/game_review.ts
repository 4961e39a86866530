// Gives every position of a line a score, one short search after the other.

import { signal } from "@preact/signals";

import { type GameNode, type GameTree, movesTo, whiteToMoveAt } from "../game/game_tree.ts";
import { toPosition } from "../game/positions.ts";
import { describeFailure } from "../rpc/failure.ts";
import type { AnalyzeCall } from "./analyzer.ts";
import type { Evaluations } from "./evaluations.ts";
import { evaluate, evaluateEnd } from "./score.ts";
import { DEFAULT_SETTINGS, toRequest } from "./settings.ts";

export type ReviewState =
  | { kind: "idle" }
  | { kind: "running"; done: number; all: number }
  | { kind: "failed"; message: string };

const REVIEW_DEPTH = 12;

export class GameReview {
  readonly state = signal<ReviewState>({ kind: "idle" });
  #abort?: AbortController;

  constructor(
    private readonly call: AnalyzeCall,
    private readonly evaluations: Evaluations,
  ) {}

  async run(tree: GameTree, line: readonly GameNode[]): Promise<void> {
    this.stop();
    const { signal: stop } = (this.#abort = new AbortController());
    const nodes = [tree.root, ...line];
    try {
      for (const [done, node] of nodes.entries()) {
        this.state.value = { kind: "running", done, all: nodes.length };
        await this.#review(tree, node, stop);
        if (stop.aborted) return;
      }
      this.state.value = { kind: "idle" };
    } catch (error) {
      if (!stop.aborted) this.state.value = { kind: "failed", message: describeFailure(error).message };
    }
  }

  stop(): void {
    this.#abort?.abort();
    this.state.value = { kind: "idle" };
  }

  async #review(tree: GameTree, node: GameNode, stop: AbortSignal): Promise<void> {
    const settings = { ...DEFAULT_SETTINGS, lines: 1, limit: "depth" as const, depth: REVIEW_DEPTH };
    const request = toRequest(toPosition(tree.start, movesTo(node)), settings);
    for await (const { event } of this.call(request, stop)) {
      if (event.case !== "final") continue;
      const whiteToMove = whiteToMoveAt(tree, node);
      const found = evaluate(event.value.result?.lines[0]?.score, whiteToMove);
      const evaluation = evaluateEnd(event.value.status, whiteToMove) ?? found;
      this.evaluations.record(node, evaluation, event.value.result?.depth ?? 0);
    }
  }
}
