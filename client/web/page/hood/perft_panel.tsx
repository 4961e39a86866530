// Counts move paths from the position on the board, move by move.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { PerftResponse_Divide, PerftResponse_Total } from "../../generated/kibitz/v1/analysis_pb.ts";
import { formatCount } from "../analysis/score.ts";
import type { AppState } from "../app_state.ts";
import { movesTo } from "../game/game_tree.ts";
import { toPosition } from "../game/positions.ts";
import { describeFailure } from "../rpc/failure.ts";
import { Slider } from "../shell/slider.tsx";

const MAX_DEPTH = 8;
const HASH_MB = 64;

export function PerftPanel({ app }: { app: AppState }) {
  const depth = useSignal(5);
  const entries = useSignal<PerftResponse_Divide[]>([]);
  const total = useSignal<PerftResponse_Total | undefined>(undefined);
  const problem = useSignal("");
  const running = useSignal(false);
  const abort = useRef<AbortController | undefined>(undefined);
  const caps = app.connection.info.value?.caps;
  const stop = () => abort.current?.abort();
  useEffect(() => stop, []);

  async function count(): Promise<void> {
    stop();
    const { signal } = (abort.current = new AbortController());
    [entries.value, total.value, problem.value, running.value] = [[], undefined, "", true];
    const position = toPosition(app.game.tree.value.start, movesTo(app.game.current.value));
    const hashMb = Math.min(HASH_MB, caps?.maxPerftHashMb ?? 0);
    try {
      for await (const { event } of app.service.perft({ position, depth: depth.value, hashMb }, { signal })) {
        if (event.case === "divide") entries.value = [...entries.value, event.value];
        if (event.case === "total") total.value = event.value;
      }
    } catch (error) {
      if (!signal.aborted) problem.value = describeFailure(error).message;
    }
    if (abort.current?.signal === signal) running.value = false;
  }

  return (
    <section class="stack" aria-label="Perft">
      <h3>Perft</h3>
      <Slider
        label="Depth"
        min={1}
        max={Math.min(MAX_DEPTH, caps?.maxPerftDepth ?? 1)}
        value={depth.value}
        onChange={(value) => (depth.value = value)}
      />
      <div class="buttons">
        <button type="button" class="primary" onClick={() => (running.value ? stop() : void count())}>
          {running.value ? "Stop" : "Count"}
        </button>
        <output data-testid="perft-total">
          {total.value && `${total.value.nodes.toLocaleString("en")} leaves, ${formatCount(total.value.nps)}/s`}
        </output>
      </div>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <ul class="divide">
        {entries.value.map(({ uci, san, nodes }) => (
          <li key={uci}>
            <span>{san}</span> <span>{nodes.toLocaleString("en")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
