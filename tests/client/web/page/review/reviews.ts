// Stand-ins for what the server says in a review.

import { create, type MessageInitShape } from "@bufbuild/protobuf";

import {
  type AnalyzeGameResponse,
  AnalyzeGameResponse_SummarySchema,
  AnalyzeGameResponseSchema,
  type PlyReviewSchema,
} from "../../../../../client/web/generated/kibitz/v1/analysis_pb.ts";

type Event = MessageInitShape<typeof AnalyzeGameResponseSchema>["event"];

const response = (event: Event): AnalyzeGameResponse => create(AnalyzeGameResponseSchema, { event });

export const queued = (place: number) => response({ case: "queued", value: { place } });
export const progress = (positions: number, totalPositions: number, seconds = 0n) =>
  response({ case: "progress", value: { positions, totalPositions, remaining: { seconds } } });
export const ply = (review: MessageInitShape<typeof PlyReviewSchema>) =>
  response({ case: "ply", value: { game: 0, review } });
export const summary = (value: MessageInitShape<typeof AnalyzeGameResponse_SummarySchema> = {}) =>
  response({ case: "summary", value: { complete: true, ...value } });

export const centipawns = (value: number) => ({ value: { case: "centipawns" as const, value } });
export const mate = (value: number) => ({ value: { case: "mateInMoves" as const, value } });
