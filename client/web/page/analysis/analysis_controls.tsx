// Go and stop, threat, and the sliders, whose ends are the server's bounds.

import type { AppState } from "../app_state.ts";
import { Slider } from "../shell/slider.tsx";
import type { LimitKind } from "./settings.ts";

export function AnalysisControls({ app }: { app: AppState }) {
  const { settings, bounds, threat } = app.analysis;
  const { on, lines, threads, limit, seconds, depth, arrows } = settings.value;
  return (
    <div class="controls">
      <div class="buttons">
        <button type="button" class="primary" aria-pressed={on} onClick={() => app.analysis.toggle()}>
          {on ? "Stop" : "Go"}
        </button>
        <button type="button" aria-pressed={threat.value} onClick={() => (threat.value = !threat.value)}>
          Threat
        </button>
        <button type="button" aria-pressed={arrows} onClick={() => app.analysis.change({ arrows: !arrows })}>
          Arrows
        </button>
      </div>
      <details class="more">
        <summary>Settings</summary>
        <Slider
          label="Lines"
          min={1}
          max={bounds.value.lines}
          value={lines}
          onChange={(value) => app.analysis.change({ lines: value })}
        />
        <Slider
          label="Threads"
          min={0}
          max={bounds.value.threads}
          value={threads}
          text={threads === 0 ? "server’s choice" : String(threads)}
          onChange={(value) => app.analysis.change({ threads: value })}
        />
        <label class="choice">
          Limit
          <select
            value={limit}
            onChange={(event) => app.analysis.change({ limit: event.currentTarget.value as LimitKind })}
          >
            <option value="infinite">until stopped</option>
            <option value="time">time</option>
            <option value="depth">depth</option>
          </select>
        </label>
        {limit === "time" && (
          <Slider
            label="Time"
            min={1}
            max={bounds.value.seconds}
            value={seconds}
            text={`${seconds} s`}
            onChange={(value) => app.analysis.change({ seconds: value })}
          />
        )}
        {limit === "depth" && (
          <Slider
            label="Depth"
            min={1}
            max={bounds.value.depth}
            value={depth}
            onChange={(value) => app.analysis.change({ depth: value })}
          />
        )}
      </details>
    </div>
  );
}
