// How a game stands, in words.

import { Color, GameStatus } from "../../generated/kibitz/v1/position_pb.ts";
import type { Facts } from "./positions.ts";

const ENDED: Partial<Record<GameStatus, string>> = {
  [GameStatus.STALEMATE]: "Draw by stalemate",
  [GameStatus.FIVEFOLD_REPETITION]: "Draw by fivefold repetition",
  [GameStatus.SEVENTY_FIVE_MOVES]: "Draw by the seventy-five-move rule",
  [GameStatus.DEAD_POSITION]: "Draw: neither side can mate",
};

const CLAIMS: Partial<Record<GameStatus, string>> = {
  [GameStatus.THREEFOLD_REPETITION]: "a draw by threefold repetition can be claimed",
  [GameStatus.FIFTY_MOVES]: "a draw by the fifty-move rule can be claimed",
};

export function gameOver(status: GameStatus): boolean {
  return status === GameStatus.CHECKMATE || ENDED[status] !== undefined;
}

export function describeStatus(facts: Facts): string {
  const white = facts.sideToMove === Color.WHITE;
  if (facts.status === GameStatus.CHECKMATE) return `Checkmate: ${white ? "Black" : "White"} wins`;
  const ended = ENDED[facts.status];
  if (ended) return ended;
  const parts = [`${white ? "White" : "Black"} to move`];
  if (facts.inCheck) parts.push("check");
  const claim = CLAIMS[facts.status];
  if (claim) parts.push(claim);
  return parts.join("; ");
}
