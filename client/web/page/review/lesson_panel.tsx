// Learn from the moments: what was played, what is tried, what would have been better.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { Color } from "../../generated/kibitz/v1/position_pb.ts";
import { LinePreview, type PreviewWish } from "../analysis/line_preview.tsx";
import { LineView } from "../analysis/line_view.tsx";
import type { AppState } from "../app_state.ts";
import { moveNumber } from "../pgn/pgn_writer.ts";
import { markOf } from "./judgements.ts";
import type { LessonStep } from "./lesson.ts";
import type { Moment } from "./review.ts";
import { describeVerdict } from "./review_text.ts";

function describeStep(step: LessonStep): string {
  switch (step.kind) {
    case "asking":
      return "Find a better move, and play it on the board.";
    case "judging":
      return `${step.san}: let me see…`;
    case "judged":
      return describeVerdict(step.san, step.verdict);
    case "shown":
      return "This was better:";
    case "failed":
      return step.message;
  }
}

function BetterLine({ app, moment: { before, review } }: { app: AppState; moment: Moment }) {
  const wish = useSignal<PreviewWish | undefined>(undefined);
  const subject = { node: before, threat: false, whiteToMove: review.side === Color.WHITE };
  return (
    <>
      <ol class="lines" aria-label="The better line">
        <LineView
          app={app}
          subject={subject}
          line={review.bestLine!}
          preview={(moves, anchor) => (wish.value = moves && anchor ? { subject, moves, anchor } : undefined)}
        />
      </ol>
      <LinePreview app={app} wish={wish} />
    </>
  );
}

function Question({ app, moment: { before, review } }: { app: AppState; moment: Moment }) {
  const side = review.side === Color.WHITE ? "White" : "Black";
  const number = moveNumber(app.game.tree.value, before.ply + 1, true);
  const mark = markOf(review);
  return (
    <p>
      {side} played{" "}
      <strong>
        {number} {review.san}
        {mark?.glyph}
      </strong>
      {mark && ` (${mark.name})`}.
    </p>
  );
}

export function LessonPanel({ app }: { app: AppState }) {
  const { lesson } = app;
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that led here is gone: who came by keyboard goes on from the heading.
  useEffect(() => heading.current?.focus(), []);
  const moment = lesson.moment.value!;
  const step = lesson.step.value;
  const index = lesson.index.value;
  const count = lesson.moments.value.length;
  const answered = step.kind === "judged" || step.kind === "shown";

  function leave(): void {
    lesson.leave();
    document.getElementById("tab-review")?.focus();
  }

  return (
    <section class="stack lesson" aria-label="Learn from the moments">
      <h3 ref={heading} tabIndex={-1}>
        Moment {index + 1} of {count}
      </h3>
      <Question app={app} moment={moment} />
      <p class={step.kind === "failed" ? "problem" : "verdict"} data-testid="verdict">
        {describeStep(step)}
      </p>
      {answered && moment.review.bestLine && <BetterLine key={index} app={app} moment={moment} />}
      <div class="buttons">
        <button type="button" disabled={index === 0} onClick={() => lesson.go(index - 1)}>
          Previous
        </button>
        <button type="button" disabled={index === count - 1} onClick={() => lesson.go(index + 1)}>
          Next
        </button>
        <button type="button" disabled={answered} onClick={() => lesson.showAnswer()}>
          Show the better line
        </button>
        {!lesson.onBoard.value && (
          <button type="button" onClick={() => lesson.showPosition()}>
            Back to the position
          </button>
        )}
        <button type="button" onClick={leave}>
          Leave
        </button>
      </div>
    </section>
  );
}
