// Keeps the address of the page and the game in step, so that the address is always a link to what is shown.

import { effect, signal } from "@preact/signals";

import { Pacer } from "../analysis/pacer.ts";
import type { AppState } from "../app_state.ts";
import { ImportProblem } from "../game/game_import.ts";
import { lineThrough } from "../game/game_tree.ts";
import { formatShareHash, parseShareHash, type SharedState } from "../game/share_link.ts";

/** Browsers slow down pages that change their address too often. */
const INTERVAL_MS = 400;

/** What is wrong with the link that led here. */
export const linkProblem = signal("");

async function loadAddress(app: AppState): Promise<void> {
  linkProblem.value = "";
  try {
    const shared = parseShareHash(location.hash);
    if (!shared) return app.gameImport.reset();
    app.flipped.value = shared.flipped;
    await loadPatiently(app, shared);
  } catch (error) {
    linkProblem.value = (error as Error).message;
    if (!app.game.facts.value) app.gameImport.reset();
  }
}

/** A link that led here while the server is gone is not lost: it is read as soon as the server is back. */
async function loadPatiently(app: AppState, shared: SharedState): Promise<void> {
  for (;;) {
    try {
      return await app.gameImport.loadShared(shared);
    } catch (error) {
      if (!(error instanceof ImportProblem && error.gone)) throw error;
      app.connection.reportGone();
      await app.connection.ready();
    }
  }
}

/** Shows what the address says, now and whenever the user changes it. */
export async function followAddress(app: AppState): Promise<void> {
  addEventListener("hashchange", () => void loadAddress(app));
  await loadAddress(app);
}

export function shareHash(app: AppState): string {
  const node = app.game.current.value;
  const moves = lineThrough(node).map((step) => step.uci);
  return formatShareHash({ start: app.game.tree.value.start, moves, ply: node.ply, flipped: app.flipped.value });
}

/** Writes the game into the address. */
export function followGame(app: AppState): void {
  const pacer = new Pacer<string>(INTERVAL_MS, (hash) => {
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname);
  });
  effect(() => {
    void app.game.revision.value;
    pacer.offer(shareHash(app));
  });
}
