// The game on the board: its tree, the node shown, and what the server says of that position.

import { batch, signal } from "@preact/signals";

import { backoffMs, wait } from "../rpc/backoff.ts";
import { describeFailure, type Failure, worthRetrying } from "../rpc/failure.ts";
import { type GameNode, type GameStart, GameTree, lineThrough, movesTo } from "./game_tree.ts";
import type { Facts, Positions } from "./positions.ts";

export class Game {
  readonly tree = signal(new GameTree());
  readonly current = signal<GameNode>(this.tree.value.root);
  /** Grows with every change of the tree's shape. */
  readonly revision = signal(0);
  /** Undefined until the server has answered for the current node. */
  readonly facts = signal<Facts | undefined>(undefined);
  /** Why there are no facts. */
  readonly problem = signal<Failure | undefined>(undefined);
  #loading = new AbortController();

  constructor(
    private readonly positions: Positions,
    private readonly onGone: () => void = () => {},
  ) {}

  /** Shows another game. The position shown is known already where the caller has asked for it. */
  open(tree: GameTree, node: GameNode = tree.root): void {
    batch(() => {
      this.tree.value = tree;
      this.revision.value++;
      this.#show(node);
    });
  }

  goTo(node: GameNode): void {
    if (node !== this.current.value) batch(() => this.#show(node));
  }

  back(): void {
    this.goTo(this.current.value.parent ?? this.current.value);
  }

  forward(): void {
    this.goTo(this.current.value.children[0] ?? this.current.value);
  }

  toStart(): void {
    this.goTo(this.tree.value.root);
  }

  toEnd(): void {
    this.goTo(lineThrough(this.current.value).at(-1) ?? this.current.value);
  }

  /** Goes to another move in place of this one: the next variation, or the one before. */
  toSibling(step: 1 | -1): void {
    const siblings = this.current.value.parent?.children ?? [];
    this.goTo(siblings[siblings.indexOf(this.current.value) + step] ?? this.current.value);
  }

  play(uci: string, san: string): void {
    this.playLine(this.current.value, [{ uci, san }]);
  }

  /** Plays moves from a node and shows the last. */
  playLine(from: GameNode, moves: readonly { uci: string; san: string }[]): void {
    batch(() => {
      let node = from;
      for (const move of moves) node = this.tree.value.play(node, move.uci, move.san);
      this.revision.value++;
      this.goTo(node);
    });
  }

  promote(node: GameNode): void {
    this.tree.value.promote(node);
    this.revision.value++;
  }

  /** Removes a move and what follows it. */
  remove(node: GameNode): void {
    batch(() => {
      const parent = node.parent;
      if (!parent) return;
      const shownWithin = lineageOf(this.current.value).has(node);
      this.tree.value.remove(node);
      this.revision.value++;
      if (shownWithin) this.goTo(parent);
    });
  }

  /** Asks again for a position that could not be had, without waiting for the next attempt. */
  retry(): void {
    if (this.problem.value) batch(() => this.#show(this.current.value));
  }

  /** Asks about a start that people gave, before it replaces the game. */
  async check(start: GameStart, signal?: AbortSignal): Promise<Facts> {
    return this.positions.get(start, [], signal);
  }

  #show(node: GameNode): void {
    this.#loading.abort();
    this.#loading = new AbortController();
    this.current.value = node;
    this.problem.value = undefined;
    this.facts.value = this.positions.peek(this.tree.value.start, movesTo(node));
    if (!this.facts.value) void this.#load(node, this.#loading.signal).catch(() => {});
  }

  async #load(node: GameNode, stop: AbortSignal): Promise<void> {
    for (let attempt = 0; !stop.aborted; attempt++) {
      try {
        const facts = await this.positions.get(this.tree.value.start, movesTo(node), stop);
        if (!stop.aborted) batch(() => ((this.facts.value = facts), (this.problem.value = undefined)));
        return;
      } catch (error) {
        if (stop.aborted) return;
        const failure = describeFailure(error);
        this.problem.value = failure;
        if (!worthRetrying(failure)) return;
        this.onGone();
        await wait(backoffMs(attempt, failure.retryMs), stop);
      }
    }
  }
}

function lineageOf(node: GameNode): Set<GameNode> {
  const lineage = new Set<GameNode>();
  for (let step: GameNode | null = node; step; step = step.parent) lineage.add(step);
  return lineage;
}
