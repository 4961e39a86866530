// Back and forth through the game, and what stands below the board.

import type { AppState } from "../app_state.ts";
import { describeStatus } from "./status.ts";

export function Navigation({ app }: { app: AppState }) {
  const node = app.game.current.value;
  const atEnd = node.children.length === 0;
  return (
    <nav class="buttons navigation" aria-label="Through the game">
      <button type="button" disabled={!node.parent} onClick={() => app.game.toStart()} aria-label="To the start">
        «
      </button>
      <button type="button" disabled={!node.parent} onClick={() => app.game.back()} aria-label="One move back">
        ‹
      </button>
      <button type="button" disabled={atEnd} onClick={() => app.game.forward()} aria-label="One move forward">
        ›
      </button>
      <button type="button" disabled={atEnd} onClick={() => app.game.toEnd()} aria-label="To the end">
        »
      </button>
      <button type="button" onClick={() => (app.flipped.value = !app.flipped.value)}>
        Flip
      </button>
      <button type="button" onClick={() => app.startOver()}>
        Start over
      </button>
    </nav>
  );
}

export function StatusLine({ app }: { app: AppState }) {
  const facts = app.game.facts.value;
  const problem = app.game.problem.value;
  const words = facts ? describeStatus(facts) : problem ? problem.message : "Asking the server…";
  return (
    <p class="status" data-testid="status">
      {app.setup.fields.value ? "Setting up a position" : words}
    </p>
  );
}
