// What screen readers are told as the game and the analysis go on.

import { effect, untracked } from "@preact/signals";

import type { Analysis } from "../analysis/analysis.ts";
import { Pacer } from "../analysis/pacer.ts";
import { evaluate, speakEvaluation } from "../analysis/score.ts";
import type { Game } from "../game/game.ts";
import { describeStatus } from "../game/status.ts";
import type { Lesson } from "../review/lesson.ts";
import type { Review } from "../review/review.ts";
import { describeSummary, describeVerdict } from "../review/review_text.ts";
import { type Announcer, speakSan } from "./announcer.ts";

/** Often enough to follow, seldom enough to hear anything else. */
const ANALYSIS_INTERVAL_MS = 8000;

export function announceGame(game: Game, announcer: Announcer): void {
  effect(() => {
    const facts = game.facts.value;
    const node = game.current.value;
    if (!facts || game.revision.value === 0) return;
    const move = node.san ? `${speakSan(node.san)}. ` : "Start of the game. ";
    untracked(() => announcer.say(`${move}${describeStatus(facts)}.`));
  });
}

/** Speaks of a new best move, or a new value, in the words of the best line. */
export function announceAnalysis(analysis: Analysis, announcer: Announcer): void {
  let said = "";
  const pacer = new Pacer<string>(ANALYSIS_INTERVAL_MS, (text) => {
    if (text !== said) announcer.say((said = text));
  });
  effect(() => {
    const view = analysis.view.value;
    const best = view?.update?.lines[0];
    const evaluation = view && evaluate(best?.score, view.subject.whiteToMove);
    if (!best?.pvSan[0] || !evaluation) return;
    const subject = view.subject.threat ? "Threat" : "Best";
    untracked(() => pacer.offer(`${subject}: ${speakSan(best.pvSan[0]!)}; ${speakEvaluation(evaluation)}.`));
  });
}

/** Speaks of the end of a review. */
export function announceReview(review: Review, announcer: Announcer): void {
  effect(() => {
    const summary = review.summary.value;
    if (summary) untracked(() => announcer.say(describeSummary(summary)));
  });
}

/** Speaks of the judgement of a move that was tried. */
export function announceLesson(lesson: Lesson, announcer: Announcer): void {
  effect(() => {
    const step = lesson.step.value;
    if (step.kind !== "judged") return;
    const better = lesson.moment.peek()?.review.bestLine?.pvSan[0];
    const answer = better && step.verdict !== "best" ? ` Best: ${speakSan(better)}.` : "";
    untracked(() => announcer.say(`${describeVerdict(speakSan(step.san), step.verdict)}${answer}`));
  });
}
