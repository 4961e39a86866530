// By what a farm's front sends questions about a position to the server that knows it: the same key as
// client/position_key.h makes.

export const POSITION_KEY_HEADER = "x-position-key";

const MOVES = 10;
const FIELDS = 4;
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const CHESS960 = 2;

interface Position {
  fen: string;
  moves: string[];
  variant: number;
}

function hash(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return hash;
}

export function positionKey(position: Position): string {
  const fields = (position.fen || START).split(/[ \t\n]+/).filter((field) => field !== "");
  const words = [...fields.slice(0, FIELDS), ...position.moves.slice(0, MOVES)];
  const text = (position.variant === CHESS960 ? "960" : "") + words.map((word) => ` ${word}`).join("");
  return hash(text).toString(16).padStart(16, "0");
}

/** The headers for a request that is about a position; none for others. */
export function positionHeaders(request: object): Record<string, string> {
  const position = (request as { position?: Position }).position;
  return position ? { [POSITION_KEY_HEADER]: positionKey(position) } : {};
}
