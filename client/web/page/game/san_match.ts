// Finds the legal move that a text means: SAN as people write it, or UCI.

import { type Move, PieceType } from "../../generated/kibitz/v1/position_pb.ts";

const PIECES: Record<string, PieceType> = {
  K: PieceType.KING,
  Q: PieceType.QUEEN,
  R: PieceType.ROOK,
  B: PieceType.BISHOP,
  N: PieceType.KNIGHT,
};

const SAN = /^([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:=?\(?([QRBNqrbn])\)?)?$/;
const CASTLING = /^([Oo0])-?\1(-?\1)?$/;

export type MatchResult = { move: Move } | { problem: "unreadable" | "illegal" | "ambiguous"; candidates: Move[] };

/** Castling in Chess960 is written as king takes rook, so its target is no square of the king. */
function matchCastling(long: boolean, moves: readonly Move[]): Move[] {
  const wanted = long ? "O-O-O" : "O-O";
  return moves.filter((move) => move.castling && move.san.replace(/[+#]$/, "") === wanted);
}

function matchPattern(match: RegExpExecArray, moves: readonly Move[]): Move[] {
  const [, letter, file, rank, target, promotion] = match;
  const piece = letter ? PIECES[letter] : PieceType.PAWN;
  return moves.filter(
    (move) =>
      !move.castling &&
      move.piece === piece &&
      move.uci.slice(2, 4) === target &&
      (!file || move.uci[0] === file) &&
      (!rank || move.uci[1] === rank) &&
      (move.uci[4] ?? "") === (promotion ?? "").toLowerCase(),
  );
}

/** A move from square to square names its piece by where it stands. */
function matchSquares(text: string, moves: readonly Move[]): Move[] {
  const plain = text.toLowerCase().replace(/[-x=]/g, "");
  return moves.filter((move) => move.uci === plain);
}

export function matchMove(text: string, moves: readonly Move[]): MatchResult {
  const bare = text
    .trim()
    .replace(/\s*e\.?p\.?$/, "")
    .replace(/[+#!?]+$/, "");
  const exact = moves.find((move) => move.san.replace(/[+#]+$/, "") === bare);
  if (exact) return { move: exact };
  const castling = CASTLING.exec(bare);
  const pattern = SAN.exec(bare);
  const found = castling
    ? matchCastling(castling[2] !== undefined, moves)
    : [...new Set([...matchSquares(bare, moves), ...(pattern ? matchPattern(pattern, moves) : [])])];
  if (found.length === 1) return { move: found[0]! };
  if (found.length > 1) return { problem: "ambiguous", candidates: found };
  return { problem: castling || pattern ? "illegal" : "unreadable", candidates: [] };
}

/** For moves typed in haste: also "nf3" and "o-o". */
export function matchTypedMove(text: string, moves: readonly Move[]): MatchResult {
  const result = matchMove(text, moves);
  if ("move" in result || result.problem === "ambiguous") return result;
  const capital = text.trim();
  const again = matchMove(capital.charAt(0).toUpperCase() + capital.slice(1), moves);
  return "move" in again ? again : result;
}

/** Says why the text is no move here. */
export function explainMismatch(text: string, result: Exclude<MatchResult, { move: Move }>): string {
  switch (result.problem) {
    case "unreadable":
      return `“${text}” is not a move`;
    case "illegal":
      return `“${text}” is not legal here`;
    case "ambiguous":
      return `“${text}” could be ${result.candidates.map((move) => move.san).join(" or ")}`;
  }
}
