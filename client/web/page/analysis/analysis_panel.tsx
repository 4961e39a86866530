// The analysis: state, figures, chances and lines.

import { useSignal } from "@preact/signals";

import type { AppState } from "../app_state.ts";
import { LinePreview, type PreviewWish } from "./line_preview.tsx";
import { LineView } from "./line_view.tsx";
import { describePhase } from "./phase_text.ts";
import { chancesOf, formatCount } from "./score.ts";
import { AnalysisControls } from "./analysis_controls.tsx";

/** What is shown belongs to the position on the board, or is not shown; and it gives no answer away. */
function currentView(app: AppState) {
  if (app.lesson.asking.value) return undefined;
  const view = app.analysis.view.value;
  const fits = view?.subject.node === app.game.current.value && view.subject.threat === app.analysis.threat.value;
  return fits ? view : undefined;
}

function Figures({ app }: { app: AppState }) {
  const update = currentView(app)?.update;
  const figures: [string, string][] = [
    ["Depth", update ? `${update.depth}/${update.seldepth}` : "–"],
    ["Nodes", update ? formatCount(update.nodes) : "–"],
    ["Speed", update ? `${formatCount(update.nps)}/s` : "–"],
    ["Hash", update ? `${(update.hashfull / 10).toFixed(0)} %` : "–"],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-testid={`figure-${name.toLowerCase()}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ChancesBar({ app }: { app: AppState }) {
  const view = currentView(app);
  const chances = view && chancesOf(view.update?.lines[0]?.wdl, view.subject.whiteToMove);
  if (!chances) return <div class="chances empty" />;
  const parts = [
    ["white", "White wins", chances.white],
    ["draw", "Draw", chances.draw],
    ["black", "Black wins", chances.black],
  ] as const;
  return (
    <div class="chances" role="img" aria-label={parts.map(([, name, share]) => `${name} ${share / 10} %`).join(", ")}>
      {parts.map(([side, name, share]) => (
        <span key={side} class={`chance ${side}`} style={{ flexGrow: share }} title={`${name}: ${share / 10} %`}>
          {share >= 120 ? `${Math.round(share / 10)} %` : ""}
        </span>
      ))}
    </div>
  );
}

function Lines({ app }: { app: AppState }) {
  const wish = useSignal<PreviewWish | undefined>(undefined);
  const view = currentView(app);
  const lines = view?.update?.lines ?? [];
  // The places of lines to come are kept, so that nothing below jumps.
  const missing = Math.max(0, app.analysis.settings.value.lines - lines.length);
  return (
    <>
      <ol class="lines" data-testid="lines">
        {view &&
          lines.map((line) => (
            <LineView
              key={line.rank}
              app={app}
              subject={view.subject}
              line={line}
              preview={(moves, anchor) =>
                (wish.value = moves && anchor ? { subject: view.subject, moves, anchor } : undefined)
              }
            />
          ))}
        {Array.from({ length: missing }, (_, index) => (
          <li key={`missing-${index}`} class="line missing" aria-hidden="true" />
        ))}
      </ol>
      <LinePreview app={app} wish={wish} />
    </>
  );
}

function Phase({ app }: { app: AppState }) {
  const facts = app.game.facts.value;
  const blocked = app.analysis.threat.value && facts?.inCheck;
  const view = currentView(app);
  const paused = app.analysis.suspended.value && app.analysis.settings.value.on;
  const words = blocked ? "In check there is no threat to show" : paused ? "Paused" : describePhase(view?.phase);
  return (
    <span class={`phase ${view?.phase.kind ?? "idle"}`} data-testid="phase">
      {words}
    </span>
  );
}

export function AnalysisPanel({ app }: { app: AppState }) {
  return (
    <section class="panel analysis" aria-label="Analysis">
      <header>
        <h2>Analysis</h2>
        <Phase app={app} />
      </header>
      <AnalysisControls app={app} />
      <Figures app={app} />
      <ChancesBar app={app} />
      <Lines app={app} />
    </section>
  );
}
