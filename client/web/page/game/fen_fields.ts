// FENs as text: reading and writing their fields. Whether a position is possible is for the server to say.

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
export const EMPTY_PLACEMENT = "8/8/8/8/8/8/8/8";

export interface FenFields {
  placement: string;
  side: "w" | "b";
  castling: string;
  enPassant: string;
  halfmoves: number;
  fullmove: number;
}

/** Reads what is there; what is missing or odd gets a plain value. */
export function parseFen(fen: string): FenFields {
  const [placement = "", side, castling = "-", enPassant = "-", halfmoves, fullmove] = fen.trim().split(/\s+/);
  return {
    placement: placement || EMPTY_PLACEMENT,
    side: side === "b" ? "b" : "w",
    castling,
    enPassant,
    halfmoves: Number(halfmoves) || 0,
    fullmove: Number(fullmove) || 1,
  };
}

export function formatFen(fields: FenFields): string {
  const { placement, side, castling, enPassant, halfmoves, fullmove } = fields;
  return `${placement} ${side} ${castling || "-"} ${enPassant || "-"} ${halfmoves} ${fullmove}`;
}

/** The same position with the other side to move: what would happen if the mover passed. */
export function passMove(fen: string): string {
  const fields = parseFen(fen);
  return formatFen({ ...fields, side: fields.side === "w" ? "b" : "w", enPassant: "-" });
}

export const SQUARES: readonly string[] = Array.from(
  { length: 64 },
  (_, index) => "abcdefgh"[index % 8]! + (Math.floor(index / 8) + 1),
);

/** The pieces of a placement by square, as FEN letters. */
export function parsePlacement(placement: string): Map<string, string> {
  const pieces = new Map<string, string>();
  placement.split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else pieces.set("abcdefgh"[file++]! + (8 - index), letter);
    }
  });
  return pieces;
}

export function formatPlacement(pieces: ReadonlyMap<string, string>): string {
  const rows: string[] = [];
  for (let rank = 8; rank >= 1; rank--) {
    const row = [..."abcdefgh"].map((file) => pieces.get(`${file}${rank}`) ?? "1").join("");
    rows.push(row.replace(/1+/g, (gap) => String(gap.length)));
  }
  return rows.join("/");
}
