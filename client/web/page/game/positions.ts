// What the server knows of positions: legal moves, state of the game, FEN. Asked once, then remembered.

import { create } from "@bufbuild/protobuf";

import { type LegalMovesResponse, type Position, PositionSchema } from "../../generated/kibitz/v1/position_pb.ts";
import type { GameStart } from "./game_tree.ts";

export type Facts = LegalMovesResponse;

const REMEMBERED = 1000;

export function toPosition(start: GameStart, moves: readonly string[]): Position {
  return create(PositionSchema, { fen: start.fen, variant: start.variant, moves: [...moves] });
}

export class Positions {
  readonly #known = new Map<string, Facts>();

  constructor(private readonly ask: (position: Position, signal?: AbortSignal) => Promise<Facts>) {}

  /** What is known already. */
  peek(start: GameStart, moves: readonly string[]): Facts | undefined {
    return this.#known.get(keyOf(start, moves));
  }

  /** Asks the server unless it is known. */
  async get(start: GameStart, moves: readonly string[], signal?: AbortSignal): Promise<Facts> {
    const key = keyOf(start, moves);
    const known = this.#known.get(key);
    if (known) return known;
    const facts = await this.ask(toPosition(start, moves), signal);
    if (this.#known.size >= REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(key, facts);
    return facts;
  }
}

function keyOf(start: GameStart, moves: readonly string[]): string {
  return `${start.variant} ${start.fen} | ${moves.join(" ")}`;
}
