// Keys that work anywhere on the page but where something is typed or chosen.

import type { AppState } from "../app_state.ts";

const TYPING = "input, textarea, select, dialog[open], [role=application]";
const PRESSING = "button, summary, a";

export const SHORTCUTS: [keys: string, what: string, act: (app: AppState) => void][] = [
  ["ArrowLeft", "one move back", (app) => app.game.back()],
  ["ArrowRight", "one move forward", (app) => app.game.forward()],
  ["ArrowUp", "the variation before", (app) => app.game.toSibling(-1)],
  ["ArrowDown", "the next variation", (app) => app.game.toSibling(1)],
  ["Home", "to the start", (app) => app.game.toStart()],
  ["End", "to the end", (app) => app.game.toEnd()],
  ["f", "flip the board", (app) => (app.flipped.value = !app.flipped.value)],
  [" ", "go or stop", (app) => app.analysis.toggle()],
  ["t", "show the threat", (app) => (app.analysis.threat.value = !app.analysis.threat.value)],
  ["m", "type a move", () => document.getElementById("move-text")?.focus()],
];

export function listenForShortcuts(app: AppState): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest(TYPING)) return;
    if ((event.key === " " || event.key === "Enter") && target.closest(PRESSING)) return;
    const shortcut = SHORTCUTS.find(([key]) => key === event.key);
    if (!shortcut) return;
    event.preventDefault();
    shortcut[2](app);
  });
}
