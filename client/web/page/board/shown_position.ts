// What the board has to show: the game, or the position that is being set up.

import type { AppState } from "../app_state.ts";
import { parseFen, parsePlacement } from "../game/fen_fields.ts";
import type { BoardArrow } from "./board_view.ts";

/** The pieces, as a placement; undefined until the server has answered. */
export function shownPlacement(app: AppState): string | undefined {
  return app.setup.fields.value?.placement ?? app.game.facts.value?.fen.split(" ", 1)[0];
}

/** The first moves of the lines, as long as they belong to the position shown. */
export function shownArrows(app: AppState): BoardArrow[] {
  const { view, settings, suspended, threat } = app.analysis;
  const hidden = !settings.value.arrows || !settings.value.on || suspended.value;
  const subject = view.value?.subject;
  if (hidden || subject?.node !== app.game.current.value || subject.threat !== threat.value) return [];
  return (view.value?.update?.lines ?? []).flatMap(({ rank, pvUci: [uci] }) =>
    uci ? [{ from: uci.slice(0, 2), to: uci.slice(2, 4), rank: Math.min(rank, 5) }] : [],
  );
}

/** The squares of the last move. */
export function lastMove(app: AppState): string[] {
  const { uci } = app.game.current.value;
  return app.setup.fields.value || !uci ? [] : [uci.slice(0, 2), uci.slice(2, 4)];
}

export function kingInCheck(app: AppState): string | undefined {
  const facts = app.game.facts.value;
  if (!facts?.inCheck || app.setup.fields.value) return undefined;
  const { placement, side } = parseFen(facts.fen);
  const king = side === "w" ? "K" : "k";
  return [...parsePlacement(placement)].find(([, piece]) => piece === king)?.[0];
}

/** Whose pieces the pointer may move. */
export function movableSide(app: AppState): "w" | "b" | "both" | "none" {
  if (!app.setup.fields.value) return app.mover.value;
  return app.setup.tool.value === "move" ? "both" : "none";
}
