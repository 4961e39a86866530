// Scores and chances as people read them. The wire counts from the side to move; the page shows White's view.

import { type Score, Score_Bound, type Wdl } from "../../generated/kibitz/v1/analysis_pb.ts";
import { GameStatus } from "../../generated/kibitz/v1/position_pb.ts";
import { gameOver } from "../game/status.ts";

/** A score seen from White. */
export interface Evaluation {
  centipawns?: number;
  /** Moves to mate, by the side that gives it. 0: the game is over. */
  mate?: { by: "white" | "black"; moves: number };
  bound?: "lower" | "upper";
}

function boundOf(score: Score, whiteToMove: boolean): Evaluation["bound"] {
  if (score.bound === Score_Bound.UNSPECIFIED) return undefined;
  return (score.bound === Score_Bound.LOWER) === whiteToMove ? "lower" : "upper";
}

export function evaluate(score: Score | undefined, whiteToMove: boolean): Evaluation | undefined {
  if (score?.value.case === "centipawns") {
    const value = whiteToMove ? score.value.value : -score.value.value;
    return { centipawns: value === 0 ? 0 : value, bound: boundOf(score, whiteToMove) };
  }
  if (score?.value.case === "mateInMoves") {
    const moves = score.value.value;
    const moverMates = moves > 0;
    return { mate: { by: moverMates === whiteToMove ? "white" : "black", moves: Math.abs(moves) } };
  }
  return undefined;
}

/** What a game that is over is worth. */
export function evaluateEnd(status: GameStatus, whiteToMove: boolean): Evaluation | undefined {
  if (status === GameStatus.CHECKMATE) return { mate: { by: whiteToMove ? "black" : "white", moves: 0 } };
  return gameOver(status) ? { centipawns: 0 } : undefined;
}

/** "+0.35", "−1.20", "#4", "−#2", and "≥" or "≤" before a bound. */
export function formatEvaluation(evaluation: Evaluation): string {
  if (evaluation.mate) return `${evaluation.mate.by === "black" ? "−" : ""}#${evaluation.mate.moves}`;
  const centipawns = evaluation.centipawns ?? 0;
  const sign = centipawns > 0 ? "+" : centipawns < 0 ? "−" : "";
  const bound = evaluation.bound === undefined ? "" : evaluation.bound === "lower" ? "≥" : "≤";
  return `${bound}${sign}${(Math.abs(centipawns) / 100).toFixed(2)}`;
}

/** For a screen reader. */
export function speakEvaluation(evaluation: Evaluation): string {
  if (evaluation.mate) {
    const winner = evaluation.mate.by === "white" ? "White" : "Black";
    return evaluation.mate.moves === 0 ? `${winner} has won` : `${winner} mates in ${evaluation.mate.moves}`;
  }
  const centipawns = evaluation.centipawns ?? 0;
  if (Math.abs(centipawns) < 10) return "equal";
  return `${centipawns > 0 ? "White" : "Black"} is better by ${(Math.abs(centipawns) / 100).toFixed(1)}`;
}

/** White's share of the bar, 0 to 1: the winning chance that a site's users know. */
export function whiteShare(evaluation: Evaluation): number {
  if (evaluation.mate) return evaluation.mate.by === "white" ? 1 : 0;
  return 1 / (1 + Math.exp(-0.00368208 * (evaluation.centipawns ?? 0)));
}

/** The chance of a side, from -1 (lost) to 1 (won). */
export function winningChance(evaluation: Evaluation, white: boolean): number {
  const chance = 2 * whiteShare(evaluation) - 1;
  return white ? chance : -chance;
}

export interface Chances {
  white: number;
  draw: number;
  black: number;
}

/** Per mille, seen from White. */
export function chancesOf(wdl: Wdl | undefined, whiteToMove: boolean): Chances | undefined {
  if (!wdl) return undefined;
  const [white, black] = whiteToMove ? [wdl.win, wdl.loss] : [wdl.loss, wdl.win];
  return { white, draw: wdl.draw, black };
}

/** 950, 12.3 k, 4.5 M, 1.2 G. */
export function formatCount(count: number | bigint): string {
  const value = Number(count);
  for (const [unit, size] of [
    ["G", 1e9],
    ["M", 1e6],
    ["k", 1e3],
  ] as const) {
    if (value >= size) return `${(value / size).toPrecision(3)} ${unit}`;
  }
  return String(value);
}
