import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";

import { Score_Bound, ScoreSchema, WdlSchema } from "../../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import {
  chancesOf,
  evaluate,
  formatCount,
  formatEvaluation,
  speakEvaluation,
  whiteShare,
  winningChance,
} from "../../../../../client/web/page/analysis/score.ts";

const centipawns = (value: number, bound = Score_Bound.UNSPECIFIED) =>
  create(ScoreSchema, { value: { case: "centipawns", value }, bound });
const mate = (value: number) => create(ScoreSchema, { value: { case: "mateInMoves", value } });
const shown = (score: ReturnType<typeof mate>, whiteToMove: boolean) => formatEvaluation(evaluate(score, whiteToMove)!);

describe("Score", () => {
  it("is shown from White's side", () => {
    expect(shown(centipawns(35), true)).toBe("+0.35");
    expect(shown(centipawns(35), false)).toBe("−0.35");
    expect(shown(centipawns(0), false)).toBe("0.00");
  });

  it("shows whose mate it is", () => {
    expect(shown(mate(3), true)).toBe("#3");
    expect(shown(mate(3), false)).toBe("−#3");
    expect(shown(mate(-2), true)).toBe("−#2");
    expect(shown(mate(-2), false)).toBe("#2");
    expect(shown(mate(0), true)).toBe("−#0");
  });

  it("turns bounds round with the side", () => {
    expect(shown(centipawns(120, Score_Bound.LOWER), true)).toBe("≥+1.20");
    expect(shown(centipawns(120, Score_Bound.LOWER), false)).toBe("≤−1.20");
    expect(shown(centipawns(-50, Score_Bound.UPPER), false)).toBe("≥+0.50");
  });

  it("is spoken in words", () => {
    expect(speakEvaluation({ centipawns: 4 })).toBe("equal");
    expect(speakEvaluation({ centipawns: -130 })).toBe("Black is better by 1.3");
    expect(speakEvaluation({ mate: { by: "white", moves: 2 } })).toBe("White mates in 2");
    expect(speakEvaluation({ mate: { by: "black", moves: 0 } })).toBe("Black has won");
  });

  it("fills the bar by the winning chance", () => {
    expect(whiteShare({ centipawns: 0 })).toBe(0.5);
    expect(whiteShare({ centipawns: 200 })).toBeCloseTo(0.676, 3);
    expect(whiteShare({ centipawns: 300 }) + whiteShare({ centipawns: -300 })).toBeCloseTo(1, 10);
    expect(whiteShare({ mate: { by: "black", moves: 4 } })).toBe(0);
  });

  it("gives the chance of a side", () => {
    expect(winningChance({ centipawns: 0 }, true)).toBe(0);
    expect(winningChance({ centipawns: 200 }, true)).toBeCloseTo(0.352, 3);
    expect(winningChance({ centipawns: 200 }, false)).toBeCloseTo(-0.352, 3);
    expect(winningChance({ mate: { by: "black", moves: 4 } }, false)).toBe(1);
  });

  it("turns chances round with the side", () => {
    const wdl = create(WdlSchema, { win: 500, draw: 300, loss: 200 });
    expect(chancesOf(wdl, true)).toEqual({ white: 500, draw: 300, black: 200 });
    expect(chancesOf(wdl, false)).toEqual({ white: 200, draw: 300, black: 500 });
    expect(chancesOf(undefined, true)).toBeUndefined();
  });
});

describe("formatCount", () => {
  it.each([
    [0n, "0"],
    [999n, "999"],
    [12_345n, "12.3 k"],
    [4_500_000n, "4.50 M"],
    [119_060_324_000n, "119 G"],
  ])("shortens %d", (count, text) => expect(formatCount(count)).toBe(text));
});
