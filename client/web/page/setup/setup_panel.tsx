// Tools to set up a position by hand.

import { Variant } from "../../generated/kibitz/v1/position_pb.ts";
import type { AppState } from "../app_state.ts";
import { namePiece } from "../board/square_cursor.ts";
import { parseFen, START_FEN } from "../game/fen_fields.ts";
import type { Tool } from "./setup.ts";

const RIGHTS: [string, string][] = [
  ["K", "White short"],
  ["Q", "White long"],
  ["k", "Black short"],
  ["q", "Black long"],
];

function Palette({ app }: { app: AppState }) {
  const tools: Tool[] = ["move", "erase", ..."KQRBNPkqrbnp"];
  return (
    <div class="palette" role="group" aria-label="Pieces to put on the board">
      {tools.map((tool) => (
        <button
          key={tool}
          type="button"
          aria-pressed={app.setup.tool.value === tool}
          aria-label={tool.length === 1 ? namePiece(tool) : tool}
          onClick={() => (app.setup.tool.value = tool)}
        >
          {tool.length === 1 ? (
            <svg viewBox="0 0 40 40" aria-hidden="true">
              <use href={`#${tool === tool.toUpperCase() ? "w" : "b"}${tool.toLowerCase()}`} />
            </svg>
          ) : (
            { move: "✥", erase: "✕" }[tool as "move" | "erase"]
          )}
        </button>
      ))}
    </div>
  );
}

function CastlingRights({ app: { setup } }: { app: AppState }) {
  const castling = setup.fields.value?.castling ?? "";
  return (
    <fieldset>
      <legend>Castling</legend>
      {RIGHTS.map(([right, name]) => (
        <label key={right}>
          <input type="checkbox" checked={castling.includes(right)} onChange={() => setup.toggleCastling(right)} />
          {name}
        </label>
      ))}
      <label>
        <input
          type="checkbox"
          checked={setup.variant.value === Variant.CHESS960}
          onChange={(event) =>
            (setup.variant.value = event.currentTarget.checked ? Variant.CHESS960 : Variant.STANDARD)
          }
        />
        Chess960
      </label>
    </fieldset>
  );
}

export function SetupPanel({ app }: { app: AppState }) {
  const { setup } = app;
  const fields = setup.fields.value;

  function begin(): void {
    app.opponent.end();
    app.endReview();
    setup.begin(app.game.facts.value?.fen ?? START_FEN, app.game.tree.value.start.variant);
  }

  async function use(): Promise<void> {
    try {
      await app.gameImport.loadFen(setup.fen(), setup.variant.value);
      setup.end();
    } catch (error) {
      setup.problem.value = (error as Error).message;
    }
  }

  if (!fields) {
    return (
      <div class="buttons">
        <button type="button" class="primary" onClick={begin}>
          Set up a position
        </button>
      </div>
    );
  }
  return (
    <div class="stack setup">
      <Palette app={app} />
      <label class="choice">
        To move
        <select
          value={fields.side}
          onChange={(event) => setup.change({ side: event.currentTarget.value as "w" | "b" })}
        >
          <option value="w">White</option>
          <option value="b">Black</option>
        </select>
      </label>
      <CastlingRights app={app} />
      <label class="choice" for="setup-fen">
        FEN
        <input
          id="setup-fen"
          value={setup.fen()}
          spellcheck={false}
          onChange={(event) => setup.change(parseFen(event.currentTarget.value))}
        />
      </label>
      <p class="problem" role="alert">
        {setup.problem.value}
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void use()}>
          Use this position
        </button>
        <button type="button" onClick={() => setup.clear()}>
          Clear
        </button>
        <button type="button" onClick={() => setup.reset()}>
          Starting position
        </button>
        <button type="button" onClick={() => setup.end()}>
          Cancel
        </button>
      </div>
    </div>
  );
}
