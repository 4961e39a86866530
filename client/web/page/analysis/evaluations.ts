// The best that is known of each node's value, for the score graph.

import { signal } from "@preact/signals";

import type { GameNode } from "../game/game_tree.ts";
import type { Evaluation } from "./score.ts";

interface Known {
  evaluation: Evaluation;
  depth: number;
}

export class Evaluations {
  /** Grows with every change. */
  readonly revision = signal(0);
  readonly #known = new WeakMap<GameNode, Known>();

  of(node: GameNode): Evaluation | undefined {
    return this.#known.get(node)?.evaluation;
  }

  /** A deeper search replaces a shallower one; a mere bound replaces nothing. */
  record(node: GameNode, evaluation: Evaluation | undefined, depth: number): void {
    const known = this.#known.get(node);
    if (!evaluation || (known && (evaluation.bound || depth < known.depth))) return;
    this.#known.set(node, { evaluation, depth });
    this.revision.value++;
  }
}
