// Games in and out: paste a FEN or a PGN, copy them, share a link.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

import { Variant } from "../../generated/kibitz/v1/position_pb.ts";
import type { AppState } from "../app_state.ts";
import { resultOf, writePgn } from "../pgn/pgn_writer.ts";
import { copyText } from "../shell/clipboard.ts";
import { shareHash } from "../shell/page_address.ts";
import { ImportProblem } from "./game_import.ts";
import { GameList } from "./game_list.tsx";
import { lineThrough, whiteToMoveAt } from "./game_tree.ts";

/** Where a line and column are in a text. */
function offsetOf(text: string, line: number, column: number): number {
  return (
    text
      .split("\n")
      .slice(0, line - 1)
      .reduce((sum, row) => sum + row.length + 1, 0) +
    column -
    1
  );
}

function currentPgn(app: AppState): string {
  const tree = app.game.tree.value;
  const last = lineThrough(tree.root).at(-1) ?? tree.root;
  const facts = app.positions.peek(
    tree.start,
    lineThrough(tree.root).map((node) => node.uci),
  );
  const given = tree.headers.get("Result");
  return writePgn(tree, facts ? resultOf(facts.status, whiteToMoveAt(tree, last)) : (given ?? "*"));
}

interface CopyProps {
  app: AppState;
  onCopied: (what: string) => void;
  /** The clipboard is closed to us. */
  onRefused: (what: string, value: string) => void;
}

function CopyButtons({ app, onCopied, onRefused }: CopyProps) {
  async function copy(what: string, value: string): Promise<void> {
    if (await copyText(value)) onCopied(what);
    else onRefused(what, value);
  }

  return (
    <div class="buttons">
      <button type="button" onClick={() => void copy("FEN", app.game.facts.value?.fen ?? "")}>
        Copy FEN
      </button>
      <button type="button" onClick={() => void copy("PGN", currentPgn(app))}>
        Copy PGN
      </button>
      <button
        type="button"
        onClick={() => void copy("Link", `${location.origin}${location.pathname}${shareHash(app)}`)}
      >
        Copy link
      </button>
    </div>
  );
}

export function ExchangePanel({ app }: { app: AppState }) {
  const text = useSignal("");
  const chess960 = useSignal(false);
  const problem = useSignal<string>("");
  const done = useSignal("");
  const busy = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);

  async function load(): Promise<void> {
    problem.value = done.value = "";
    busy.value = true;
    try {
      await app.load(text.value, chess960.value ? Variant.CHESS960 : Variant.STANDARD);
      done.value = "Loaded.";
    } catch (error) {
      problem.value = (error as Error).message;
      if (!(error instanceof ImportProblem) || !error.place) return;
      const at = offsetOf(text.value, error.place.line, error.place.column);
      field.current?.focus();
      field.current?.setSelectionRange(at, at + (/^\S+/.exec(text.value.slice(at))?.[0].length ?? 1));
    } finally {
      busy.value = false;
    }
  }

  return (
    <div class="stack">
      <label for="exchange-text">FEN or PGN</label>
      <textarea
        id="exchange-text"
        ref={field}
        rows={6}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        spellcheck={false}
        aria-invalid={problem.value !== ""}
        aria-describedby="exchange-problem"
      />
      <p id="exchange-problem" class="problem" role="alert">
        {problem.value}
      </p>
      <div class="buttons">
        <button type="button" class="primary" disabled={busy.value} onClick={() => void load()}>
          {busy.value ? "Loading…" : "Load"}
        </button>
        <label>
          <input
            type="checkbox"
            checked={chess960.value}
            onChange={(event) => (chess960.value = event.currentTarget.checked)}
          />
          FEN is Chess960
        </label>
      </div>
      <CopyButtons
        app={app}
        onCopied={(what) => (done.value = `${what} copied.`)}
        onRefused={(what, value) => (
          (text.value = value),
          (done.value = `${what} is in the field, to be copied by hand.`)
        )}
      />
      <p class="hint" role="status">
        {done.value}
      </p>
      <GameList app={app} />
    </div>
  );
}
