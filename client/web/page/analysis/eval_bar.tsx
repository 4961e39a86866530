// The share of the board that each side owns, by the engine's opinion.

import type { AppState } from "../app_state.ts";
import { type Evaluation, evaluate, speakEvaluation, whiteShare } from "./score.ts";

/** The bar is narrow, and its colour says whose advantage it is. */
function shortForm({ mate, centipawns = 0 }: Evaluation): string {
  return mate ? `#${mate.moves}` : (Math.abs(centipawns) / 100).toFixed(1);
}

export function EvalBar({ app }: { app: AppState }) {
  const node = app.game.current.value;
  const view = app.analysis.view.value;
  void app.evaluations.revision.value;
  const live = view?.subject.node === node && !view.subject.threat && view.update?.lines[0]?.score;
  const evaluation = live ? evaluate(live, view.subject.whiteToMove) : app.evaluations.of(node);
  const share = evaluation ? whiteShare(evaluation) : 0.5;
  const height = Math.round(share * 100);
  return (
    <div
      class={`eval-bar${app.flipped.value ? " flipped" : ""}`}
      role="meter"
      aria-label="Evaluation"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={height}
      aria-valuetext={evaluation ? speakEvaluation(evaluation) : "not known yet"}
    >
      <div class="eval-white" style={{ height: `${height}%` }} />
      <span class={`eval-text ${share >= 0.5 ? "white" : "black"}`}>{evaluation ? shortForm(evaluation) : ""}</span>
    </div>
  );
}
