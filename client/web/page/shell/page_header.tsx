// The top of the page: name, connection, theme and help.

import { useRef } from "preact/hooks";

import type { AppState } from "../app_state.ts";
import { linkProblem } from "./page_address.ts";
import { SHORTCUTS } from "./shortcuts.ts";
import { nextTheme, theme } from "./theme.ts";

const KEY_NAMES: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
};

function ConnectionBadge({ app }: { app: AppState }) {
  const { kind } = app.connection.state.value;
  const words = {
    connecting: "Connecting…",
    ready: app.connection.info.value?.version ?? "Connected",
    gone: "Server gone, trying again…",
  };
  return (
    <span class={`connection ${kind}`} role="status" data-testid="connection">
      {words[kind]}
    </span>
  );
}

function HelpDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Help
      </button>
      <dialog ref={dialog} class="help" aria-label="Help">
        <h2>Keys</h2>
        <dl>
          {SHORTCUTS.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{KEY_NAMES[key] ?? key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <p>
          On the board itself the arrow keys go from square to square; Enter picks a piece up and puts it down. The
          wheel goes through the game. Point at a move of a line to see where it leads, click to play it.
        </p>
        <form method="dialog">
          <button class="primary">Close</button>
        </form>
      </dialog>
    </>
  );
}

export function PageHeader({ app }: { app: AppState }) {
  return (
    <header class="page-header">
      <h1>Kibitz</h1>
      <ConnectionBadge app={app} />
      {linkProblem.value && (
        <span class="problem" role="alert">
          {linkProblem.value}
        </span>
      )}
      <span class="spacer" />
      <button type="button" onClick={nextTheme}>
        Theme: {theme.value}
      </button>
      <HelpDialog />
    </header>
  );
}
