import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";

import { AnalyzeGameResponse_SummarySchema as SummarySchema } from "../../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import {
  describeProgress,
  describeSummary,
  describeVerdict,
} from "../../../../../client/web/page/review/review_text.ts";

describe("ReviewText", () => {
  it("tells how far a review has come", () => {
    expect(describeProgress({ kind: "queued", place: 3 })).toBe("Queued, place 3");
    expect(describeProgress({ kind: "running", done: 0, all: 9 })).toBe("0 of 9 positions");
    expect(describeProgress({ kind: "running", done: 4, all: 9, secondsLeft: 2 })).toBe(
      "4 of 9 positions, about 2 s left",
    );
  });

  it("tells how a review ended", () => {
    const whole = create(SummarySchema, {
      complete: true,
      white: { accuracy: 91.4 },
      black: { accuracy: 80 },
      moments: [3],
    });
    expect(describeSummary(whole)).toBe(
      "The review is done. Accuracy of White 91 %, of Black 80 %. 1 moment to learn from.",
    );
    expect(describeSummary(create(SummarySchema, { white: { accuracy: 100 } }))).toBe(
      "The review was cut short. Accuracy of White 100 %, of Black –. 0 moments to learn from.",
    );
  });

  it("tells what a move that was tried is worth", () => {
    expect(describeVerdict("Nf3", "best")).toBe("Nf3 is the best move.");
    expect(describeVerdict("Nf3", "bad")).toBe("Nf3 loses too much.");
  });
});
