// The judgements that are marked: how they are written and what they are called.

import { Judgement, type PlyReview } from "../../generated/kibitz/v1/analysis_pb.ts";

export interface Mark {
  judgement: Judgement;
  glyph: string;
  name: string;
  plural: string;
  /** The class of what is drawn for it. */
  style: string;
}

/** From the least to the worst. */
export const MARKS: readonly Mark[] = [
  { judgement: Judgement.INACCURACY, glyph: "?!", name: "inaccuracy", plural: "Inaccuracies", style: "inaccuracy" },
  { judgement: Judgement.MISTAKE, glyph: "?", name: "mistake", plural: "Mistakes", style: "mistake" },
  { judgement: Judgement.MISSED_WIN, glyph: "?", name: "missed win", plural: "Missed wins", style: "missed-win" },
  { judgement: Judgement.BLUNDER, glyph: "??", name: "blunder", plural: "Blunders", style: "blunder" },
];

/** Undefined for moves that need no mark. */
export function markOf(review: PlyReview | undefined): Mark | undefined {
  return MARKS.find(({ judgement }) => judgement === review?.judgement);
}
