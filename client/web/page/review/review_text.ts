// What a review and a lesson have to say, in words.

import type {
  AnalyzeGameResponse_Side as Side,
  AnalyzeGameResponse_Summary as Summary,
} from "../../generated/kibitz/v1/analysis_pb.ts";
import type { Verdict } from "./lesson.ts";
import type { ReviewState } from "./review.ts";

export function describeProgress(state: ReviewState): string {
  switch (state.kind) {
    case "idle":
      return "";
    case "queued":
      return `Queued, place ${state.place}`;
    case "running": {
      const left = state.secondsLeft ? `, about ${state.secondsLeft} s left` : "";
      return `${state.done} of ${state.all} positions${left}`;
    }
    case "failed":
      return state.message;
  }
}

export function formatAccuracy(side: Side | undefined): string {
  return side ? `${Math.round(side.accuracy)} %` : "–";
}

/** For a screen reader. */
export function describeSummary({ complete, white, black, moments }: Summary): string {
  const end = complete ? "The review is done." : "The review was cut short.";
  const sides = `Accuracy of White ${formatAccuracy(white)}, of Black ${formatAccuracy(black)}.`;
  const count = moments.length === 1 ? "1 moment" : `${moments.length} moments`;
  return `${end} ${sides} ${count} to learn from.`;
}

export function describeVerdict(move: string, verdict: Verdict): string {
  const words = {
    best: "is the best move",
    fine: "is fine, too",
    played: "is what was played, and loses too much",
    bad: "loses too much",
  };
  return `${move} ${words[verdict]}.`;
}
