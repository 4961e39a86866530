// A game with its variations. Knows nothing of the rules: moves come with their notation.

import { Variant } from "../../generated/kibitz/v1/position_pb.ts";
import { parseFen, START_FEN } from "./fen_fields.ts";

export interface GameStart {
  /** Empty: the standard starting position. */
  fen: string;
  variant: Variant;
}

export const STANDARD_START: GameStart = { fen: "", variant: Variant.STANDARD };

export interface GameNode {
  readonly id: number;
  /** Null for the start of the game. */
  readonly parent: GameNode | null;
  /** The continuations; the first is the main one. */
  readonly children: GameNode[];
  readonly uci: string;
  readonly san: string;
  /** Half-moves from the start. */
  readonly ply: number;
  comment: string;
  nags: number[];
}

export class GameTree {
  readonly root: GameNode;
  readonly #nodes = new Map<number, GameNode>();

  constructor(
    readonly start: GameStart = STANDARD_START,
    readonly headers: ReadonlyMap<string, string> = new Map(),
  ) {
    this.root = this.#create(null, "", "");
  }

  #create(parent: GameNode | null, uci: string, san: string): GameNode {
    const ply = parent ? parent.ply + 1 : 0;
    const node = { id: this.#nodes.size, parent, children: [], uci, san, ply, comment: "", nags: [] };
    this.#nodes.set(node.id, node);
    return node;
  }

  node(id: number): GameNode | undefined {
    return this.#nodes.get(id);
  }

  /** The node after a move: the one that is there already, or a new variation. */
  play(from: GameNode, uci: string, san: string): GameNode {
    const known = from.children.find((child) => child.uci === uci);
    if (known) return known;
    const node = this.#create(from, uci, san);
    from.children.push(node);
    return node;
  }

  /** Makes the variation that the node is in the main one, all the way up. */
  promote(node: GameNode): void {
    for (let child = node; child.parent; child = child.parent) {
      const siblings = child.parent.children;
      siblings.splice(siblings.indexOf(child), 1);
      siblings.unshift(child);
    }
  }

  /** Takes the node and all below out of the game; the start stays. */
  remove(node: GameNode): void {
    const siblings = node.parent?.children;
    siblings?.splice(siblings.indexOf(node), 1);
  }
}

/** The nodes from the first move to this one. */
function pathTo(node: GameNode): GameNode[] {
  const path: GameNode[] = [];
  for (let step = node; step.parent; step = step.parent) path.unshift(step);
  return path;
}

export function movesTo(node: GameNode): string[] {
  return pathTo(node).map((step) => step.uci);
}

/** The path to the node and on along the main continuations. */
export function lineThrough(node: GameNode): GameNode[] {
  const line = pathTo(node);
  for (let next = node.children[0]; next; next = next.children[0]) line.push(next);
  return line;
}

export function whiteToMoveAt(tree: GameTree, node: GameNode): boolean {
  const whiteBegins = parseFen(tree.start.fen || START_FEN).side === "w";
  return whiteBegins === (node.ply % 2 === 0);
}
