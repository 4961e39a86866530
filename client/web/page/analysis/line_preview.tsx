// The small board that shows where a line leads.

import { type Signal, useSignal, useSignalEffect } from "@preact/signals";

import type { AppState } from "../app_state.ts";
import { MiniBoard } from "../board/mini_board.tsx";
import { passMove } from "../game/fen_fields.ts";
import { movesTo } from "../game/game_tree.ts";
import type { Facts } from "../game/positions.ts";
import type { Subject } from "./analysis.ts";

export interface PreviewWish {
  subject: Subject;
  moves: string[];
  anchor: HTMLElement;
}

/** The position after the moves, by the server's rules. */
async function lookUp(app: AppState, { subject, moves }: PreviewWish): Promise<Facts> {
  const start = app.game.tree.value.start;
  const before = movesTo(subject.node);
  if (!subject.threat) return app.positions.get(start, [...before, ...moves]);
  const { fen } = await app.positions.get(start, before);
  return app.positions.get({ ...start, fen: passMove(fen) }, moves);
}

export function LinePreview({ app, wish }: { app: AppState; wish: Signal<PreviewWish | undefined> }) {
  const fen = useSignal<string | undefined>(undefined);
  useSignalEffect(() => {
    const wanted = wish.value;
    if (!wanted) fen.value = undefined;
    else
      void lookUp(app, wanted).then(
        (facts) => wish.value === wanted && (fen.value = facts.fen),
        () => {},
      );
  });
  // A move that vanishes under the pointer never hears that the pointer has left it.
  if (!fen.value || !wish.value?.anchor.isConnected) return null;
  const { left, bottom } = wish.value.anchor.getBoundingClientRect();
  const last = wish.value.moves.at(-1)!;
  const place = { left: `min(${left}px, calc(100vw - 13rem))`, top: `min(${bottom + 6}px, calc(100vh - 13rem))` };
  return (
    <div class="line-preview" style={place}>
      <MiniBoard fen={fen.value} flipped={app.flipped.value} marked={[last.slice(0, 2), last.slice(2, 4)]} />
    </div>
  );
}
