// Under the hood: what the engine sees, what it thinks of it and how fast it counts. Loaded only when somebody looks.

import type { AppState } from "../app_state.ts";
import { BitboardsPanel } from "./bitboards_panel.tsx";
import { EvaluationPanel } from "./evaluation_panel.tsx";
import { PerftPanel } from "./perft_panel.tsx";

export function HoodPanel({ app }: { app: AppState }) {
  const info = app.connection.info.value;
  return (
    <div class="stack">
      {info && (
        <p class="hint">
          {info.version}, {info.build}; {info.workers} workers, table of {info.hashMb} MiB, evaluation {info.evaluation}
        </p>
      )}
      <EvaluationPanel app={app} />
      <PerftPanel app={app} />
      <BitboardsPanel app={app} />
    </div>
  );
}
