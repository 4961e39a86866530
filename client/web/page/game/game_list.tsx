// The games of a file, to choose from.

import type { AppState } from "../app_state.ts";
import { MAX_SHOWN } from "./game_file.ts";

function OpenFile({ app }: { app: AppState }) {
  return (
    <label class="choice">
      A file of games, or drop it anywhere
      <input
        type="file"
        accept=".pgn,.txt,application/x-chess-pgn,text/plain"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) void app.gameFile.open(file);
          event.currentTarget.value = ""; // the same file may be opened again
        }}
      />
    </label>
  );
}

export function GameList({ app }: { app: AppState }) {
  const { games, matching, name, filter, problem } = app.gameFile;
  const shown = matching.value.slice(0, MAX_SHOWN);
  return (
    <div class="stack">
      <OpenFile app={app} />
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {games.value.length > 1 && (
        <>
          <label class="choice">
            Find one of {games.value.length} games of {name.value}
            <input
              type="search"
              value={filter.value}
              onInput={(event) => (filter.value = event.currentTarget.value)}
              placeholder="a player, an event, a year"
            />
          </label>
          <ul class="game-list" aria-label="Games of the file" data-testid="game-list">
            {shown.map((game) => (
              <li key={game.title}>
                <button type="button" onClick={() => void app.gameFile.choose(game)}>
                  {game.title}
                </button>
              </li>
            ))}
          </ul>
          <p class="hint" role="status">
            {matching.value.length === 0 && "None is like that."}
            {matching.value.length > MAX_SHOWN && `${matching.value.length - MAX_SHOWN} more are not shown.`}
          </p>
        </>
      )}
    </div>
  );
}
