// The state of the board in the part of the address after #, so that a link shows what its sender saw.

import { Variant } from "../../generated/kibitz/v1/position_pb.ts";
import type { GameStart } from "./game_tree.ts";

export interface SharedState {
  start: GameStart;
  /** UCI moves of the line. */
  moves: string[];
  /** How many of them are played on the board. */
  ply: number;
  flipped: boolean;
}

const MOVE = /^[a-h][1-8][a-h][1-8][nbrq]?$/;
const MAX_MOVES = 12_000;

/** FENs keep their slashes; blanks become underscores, which no FEN has. */
export function formatShareHash(state: SharedState): string {
  const parts: string[] = [];
  if (state.start.variant === Variant.CHESS960) parts.push("chess960");
  if (state.start.fen) parts.push(`fen=${state.start.fen.replaceAll(" ", "_")}`);
  if (state.moves.length > 0) parts.push(`moves=${state.moves.join(",")}`);
  if (state.ply !== state.moves.length) parts.push(`ply=${state.ply}`);
  if (state.flipped) parts.push("flip");
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/** Null where the link says nothing. Throws where it cannot be read; the FEN is for the server to judge. */
export function parseShareHash(hash: string): SharedState | null {
  const parts = hash.replace(/^#/, "").split("&").filter(Boolean);
  if (parts.length === 0) return null;
  const fields = new Map(parts.map((part): [string, string] => [part.split("=", 1)[0]!, part.replace(/^[^=]*=?/, "")]));
  const moves = fields.get("moves")?.split(",") ?? [];
  const bad = moves.findIndex((move) => !MOVE.test(move));
  if (bad >= 0) throw new Error(`The link's move ${bad + 1}, “${moves[bad]}”, is not a move.`);
  if (moves.length > MAX_MOVES) throw new Error(`The link has more than ${MAX_MOVES} moves.`);
  const ply = fields.has("ply") ? Number(fields.get("ply")) : moves.length;
  if (!Number.isInteger(ply) || ply < 0 || ply > moves.length)
    throw new Error("The link's ply is not one of its moves.");
  return {
    start: {
      fen: decodeURIComponent(fields.get("fen") ?? "").replaceAll("_", " "),
      variant: fields.has("chess960") ? Variant.CHESS960 : Variant.STANDARD,
    },
    moves,
    ply,
    flipped: fields.has("flip"),
  };
}
