// The engine's own view of the position: sets of squares, and what a piece attacks by each slider method.

import { useSignal, useSignalEffect } from "@preact/signals";

import type { BitboardsResponse } from "../../generated/kibitz/v1/position_pb.ts";
import { Color, PieceType } from "../../generated/kibitz/v1/position_pb.ts";
import type { AppState } from "../app_state.ts";
import { SQUARES } from "../game/fen_fields.ts";
import { movesTo } from "../game/game_tree.ts";
import { toPosition } from "../game/positions.ts";
import { describeFailure } from "../rpc/failure.ts";
import { Bitboard } from "./bitboard.tsx";

const PIECES: [PieceType, string][] = [
  [PieceType.UNSPECIFIED, "the piece there"],
  [PieceType.ROOK, "a rook"],
  [PieceType.BISHOP, "a bishop"],
  [PieceType.QUEEN, "a queen"],
  [PieceType.KNIGHT, "a knight"],
  [PieceType.KING, "a king"],
  [PieceType.PAWN, "a pawn"],
];

const NAMES = ["", "pawns", "knights", "bishops", "rooks", "queens", "kings"];

function setsOf(boards: BitboardsResponse): [string, bigint][] {
  const sets: [string, bigint][] = [
    ["Occupied", boards.occupied],
    ["White", boards.white],
    ["Black", boards.black],
    ["Checkers", boards.checkers],
    ["Pinned", boards.pinned],
  ];
  for (const { color, piece, squares } of boards.pieces) {
    sets.push([`${color === Color.WHITE ? "White" : "Black"} ${NAMES[piece]}`, squares]);
  }
  return sets;
}

export function BitboardsPanel({ app }: { app: AppState }) {
  const square = useSignal("d4");
  const piece = useSignal(PieceType.ROOK);
  const boards = useSignal<BitboardsResponse | undefined>(undefined);
  const problem = useSignal("");

  useSignalEffect(() => {
    const abort = new AbortController();
    const position = toPosition(app.game.tree.value.start, movesTo(app.game.current.value));
    const request = { position, square: square.value, piece: piece.value };
    app.service.bitboards(request, { signal: abort.signal }).then(
      (answer) => ((boards.value = answer), (problem.value = "")),
      (error: unknown) => {
        if (!abort.signal.aborted) problem.value = describeFailure(error).message;
      },
    );
    return () => abort.abort();
  });

  return (
    <section class="stack" aria-label="Bitboards">
      <h3>Bitboards</h3>
      <div class="buttons">
        <label>
          Attacks of{" "}
          <select
            aria-label="Piece"
            value={piece.value}
            onChange={(event) => (piece.value = Number(event.currentTarget.value))}
          >
            {PIECES.map(([type, name]) => (
              <option key={type} value={type}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          on{" "}
          <select
            aria-label="Square"
            value={square.value}
            onChange={(event) => (square.value = event.currentTarget.value)}
          >
            {SQUARES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {boards.value && (
        <>
          <div class="bitboards" data-testid="attacks">
            {boards.value.attacks.map(({ method, squares }) => (
              <Bitboard key={method} name={method} bits={squares} />
            ))}
          </div>
          <div class="bitboards">
            {setsOf(boards.value).map(([name, bits]) => (
              <Bitboard key={name} name={name} bits={bits} />
            ))}
          </div>
        </>
      )}
    </section>
  );
}
