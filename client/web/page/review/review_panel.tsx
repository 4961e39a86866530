// The review of the game: how much to search, how far it has come, what it found.

import { useSignal } from "@preact/signals";

import type { AnalyzeGameResponse_Summary as Summary } from "../../generated/kibitz/v1/analysis_pb.ts";
import { formatCount } from "../analysis/score.ts";
import type { AppState } from "../app_state.ts";
import { copyText } from "../shell/clipboard.ts";
import { LessonPanel } from "./lesson_panel.tsx";
import { BUDGETS } from "./review.ts";
import { ReviewTable } from "./review_table.tsx";
import { describeProgress } from "./review_text.ts";

function Controls({ app }: { app: AppState }) {
  void app.game.revision.value;
  const { review } = app;
  const running = review.running.value;
  const empty = app.game.tree.value.root.children.length === 0;
  const busy = app.opponent.playing.value !== undefined || app.setup.fields.value !== undefined;

  return (
    <>
      <label class="choice">
        Depth of the review
        <select
          value={review.nodesPerMove.value}
          disabled={running}
          onChange={(event) => (review.nodesPerMove.value = Number(event.currentTarget.value))}
        >
          {BUDGETS.map(([nodes, name]) => (
            <option key={nodes} value={nodes}>
              {name}: {formatCount(nodes)} nodes a move
            </option>
          ))}
        </select>
      </label>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={empty || busy}
          onClick={() => (running ? review.cancel() : void review.run())}
        >
          {running ? "Cancel" : review.summary.value ? "Review again" : "Review the game"}
        </button>
        {empty && <span class="hint">There are no moves to review yet.</span>}
      </div>
    </>
  );
}

function Progress({ app }: { app: AppState }) {
  const state = app.review.state.value;
  if (state.kind === "idle") return null;
  if (state.kind === "failed") {
    return (
      <p class="problem" role="alert">
        {describeProgress(state)}
      </p>
    );
  }
  const known = state.kind === "running" ? { value: state.done, max: state.all } : {};
  return (
    <div class="review-progress">
      <progress aria-label="Review" {...known} />
      <span data-testid="review-progress">{describeProgress(state)}</span>
    </div>
  );
}

function AnnotatedPgn({ pgn }: { pgn: string }) {
  const outcome = useSignal<"none" | "copied" | "refused">("none");
  return (
    <>
      <div class="buttons">
        <button
          type="button"
          onClick={() => void copyText(pgn).then((copied) => (outcome.value = copied ? "copied" : "refused"))}
        >
          Copy annotated PGN
        </button>
        <span class="hint" role="status">
          {{ none: "", copied: "Annotated PGN copied.", refused: "Copy it from here by hand." }[outcome.value]}
        </span>
      </div>
      {outcome.value === "refused" && <textarea rows={6} readOnly aria-label="Annotated PGN" value={pgn} />}
    </>
  );
}

function Findings({ app, summary }: { app: AppState; summary: Summary }) {
  const moments = app.review.moments.value.length;
  return (
    <>
      {!summary.complete && <p class="notice">The review was cut short: not every move was judged.</p>}
      {summary.opening && (
        <p data-testid="opening">
          {summary.opening.eco} {summary.opening.name}
        </p>
      )}
      <ReviewTable summary={summary} />
      <div class="buttons">
        <button type="button" class="primary" disabled={moments === 0} onClick={() => app.lesson.begin()}>
          Learn from the moments
        </button>
        <span class="hint">{moments === 0 ? "Nothing went wrong." : `${moments} to learn from`}</span>
      </div>
      <AnnotatedPgn key={summary.annotatedPgn} pgn={summary.annotatedPgn} />
    </>
  );
}

export function ReviewPanel({ app }: { app: AppState }) {
  const summary = app.review.summary.value;
  if (app.lesson.moment.value) return <LessonPanel app={app} />;
  return (
    <div class="stack">
      <Controls app={app} />
      <Progress app={app} />
      {summary && <Findings app={app} summary={summary} />}
    </div>
  );
}
