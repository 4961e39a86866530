// The square that the keyboard is on.

const STEPS: Record<string, [file: number, rank: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Where an arrow key leads, as seen from the side of the board at the bottom; undefined for other keys. */
export function stepSquare(square: string, key: string, flipped: boolean): string | undefined {
  const step = STEPS[key];
  if (!step) return undefined;
  const sign = flipped ? -1 : 1;
  const clamp = (value: number) => Math.min(Math.max(value, 0), 7);
  const file = clamp("abcdefgh".indexOf(square[0]!) + sign * step[0]);
  const rank = clamp(Number(square[1]) - 1 + sign * step[1]);
  return "abcdefgh"[file]! + (rank + 1);
}

const NAMES: Record<string, string> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** "white knight" for N. */
export function namePiece(letter: string): string {
  const side = letter === letter.toUpperCase() ? "white" : "black";
  return `${side} ${NAMES[letter.toLowerCase()] ?? letter}`;
}

/** For a screen reader: all pieces, White's first. */
export function namePieces(pieces: ReadonlyMap<string, string>): string {
  const list = (white: boolean) =>
    [...pieces]
      .filter(([, piece]) => (piece === piece.toUpperCase()) === white)
      .map(([square, piece]) => `${NAMES[piece.toLowerCase()]} ${square}`)
      .join(", ");
  return `White: ${list(true) || "nothing"}. Black: ${list(false) || "nothing"}.`;
}

/** For a screen reader: "f3, white knight". */
export function nameSquare(square: string, pieces: ReadonlyMap<string, string>): string {
  const piece = pieces.get(square);
  return `${square}, ${piece ? namePiece(piece) : "empty"}`;
}
