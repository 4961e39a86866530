// Which legal moves a gesture on the board can mean.

import type { Move } from "../../generated/kibitz/v1/position_pb.ts";
import type { Facts } from "../game/positions.ts";

const from = (move: Move) => move.uci.slice(0, 2);
const to = (move: Move) => move.uci.slice(2, 4);

/** Castling can be shown by the king's own target or by the rook that it castles with, whichever notation is used. */
function castlingTargets(move: Move): string[] {
  const rank = move.uci[1]!;
  const short = /^O-O(?!-O)/.test(move.san);
  return [to(move), `${short ? "g" : "c"}${rank}`, `${short ? "h" : "a"}${rank}`];
}

/** The moves from one square to another; several when a pawn promotes. */
export function movesBetween(facts: Facts | undefined, source: string, target: string): Move[] {
  const moves = facts?.moves.filter((move) => from(move) === source) ?? [];
  const plain = moves.filter((move) => to(move) === target);
  return plain.length > 0 ? plain : moves.filter((move) => move.castling && castlingTargets(move).includes(target));
}

export function targetsFrom(facts: Facts | undefined, source: string): string[] {
  return [...new Set(facts?.moves.filter((move) => from(move) === source).map(to))];
}
