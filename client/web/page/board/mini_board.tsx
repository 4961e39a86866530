// A small board without pointer or keyboard: for previews.

import { parseFen, parsePlacement, SQUARES } from "../game/fen_fields.ts";

interface Props {
  fen: string;
  flipped: boolean;
  /** Squares of the last move. */
  marked?: string[];
}

export function MiniBoard({ fen, flipped, marked = [] }: Props) {
  const pieces = parsePlacement(parseFen(fen).placement);
  return (
    <svg class="mini-board" viewBox="0 0 320 320" aria-hidden="true">
      {SQUARES.map((square, index) => {
        const file = index % 8;
        const rank = Math.floor(index / 8);
        const x = 40 * (flipped ? 7 - file : file);
        const y = 40 * (flipped ? rank : 7 - rank);
        const piece = pieces.get(square);
        const shade = (file + rank) % 2 === 0 ? "dark" : "light";
        const side = piece === piece?.toUpperCase() ? "w" : "b";
        return (
          <g key={square} transform={`translate(${x} ${y})`}>
            <rect class={`mini-square ${shade}${marked.includes(square) ? " marked" : ""}`} width="40" height="40" />
            {piece && <use href={`#${side}${piece.toLowerCase()}`} />}
          </g>
        );
      })}
    </svg>
  );
}
