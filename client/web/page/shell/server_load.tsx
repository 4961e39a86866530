// How busy the server is, in a line.

import { formatCount } from "../analysis/score.ts";
import type { AppState } from "../app_state.ts";

/** How often the server is asked while somebody looks. */
export const LOAD_INTERVAL_MS = 5000;

export function ServerLoad({ app }: { app: AppState }) {
  const info = app.connection.info.value;
  if (!info) return null;
  const facts: [name: string, value: string][] = [
    ["Searches", info.liveAnalyses.toLocaleString("en")],
    ["Waiting", info.queuedAnalyses.toLocaleString("en")],
    ["Workers", info.workers.toLocaleString("en")],
    ["Nodes/s", formatCount(info.searchNodesPerSecond)],
    ["Table", `${(info.hashfull / 10).toFixed(1)} %`],
  ];
  return (
    <section class="panel server-load" aria-label="Server load" data-testid="server-load">
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
