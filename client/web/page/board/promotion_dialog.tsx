// Asks what a pawn shall become.

import { useEffect, useRef } from "preact/hooks";

import { type Move, PieceType } from "../../generated/kibitz/v1/position_pb.ts";
import type { AppState } from "../app_state.ts";

const CHOICES = [
  { type: PieceType.QUEEN, name: "Queen", letter: "q" },
  { type: PieceType.KNIGHT, name: "Knight", letter: "n" },
  { type: PieceType.ROOK, name: "Rook", letter: "r" },
  { type: PieceType.BISHOP, name: "Bishop", letter: "b" },
];

export function PromotionDialog({ app }: { app: AppState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const moves = app.promotion.value;
  const side = app.mover.value === "b" ? "b" : "w";

  useEffect(() => {
    if (moves.length > 0 && !dialog.current!.open) dialog.current!.showModal();
    if (moves.length === 0 && dialog.current!.open) dialog.current!.close();
  }, [moves]);

  const choose = (move: Move | undefined) => move && app.play(move);
  return (
    <dialog ref={dialog} class="promotion" aria-label="Promote to" onClose={() => app.cancelPromotion()}>
      {CHOICES.map(({ type, name, letter }) => (
        <button key={letter} type="button" onClick={() => choose(moves.find((move) => move.promotion === type))}>
          <svg viewBox="0 0 40 40" aria-hidden="true">
            <use href={`#${side}${letter}`} />
          </svg>
          {name}
        </button>
      ))}
    </dialog>
  );
}
