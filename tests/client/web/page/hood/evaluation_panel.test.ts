import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";

import { EvaluateResponse_NetValue_PieceSchema as NetPieceSchema } from "../../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import { Color, PieceType } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";
import { piecesOf, scaleOf } from "../../../../../client/web/page/hood/evaluation_panel.tsx";

describe("EvaluationPanel", () => {
  it("makes room for the largest term, and does not blow small ones up", () => {
    expect(scaleOf([{ value: 30 }, { value: -420 }])).toBe(420);
    expect(scaleOf([{ value: 30 }, { value: -42 }])).toBe(100);
    expect(scaleOf([])).toBe(100);
  });

  it("shows the pieces of a side, what counts most first", () => {
    const pieces = [
      { square: "a2", piece: PieceType.PAWN, color: Color.WHITE, value: 90 },
      { square: "d1", piece: PieceType.QUEEN, color: Color.WHITE, value: 900 },
      { square: "a7", piece: PieceType.PAWN, color: Color.BLACK, value: -80 },
      { square: "d8", piece: PieceType.QUEEN, color: Color.BLACK, value: -950 },
    ].map((piece) => create(NetPieceSchema, piece));
    expect(piecesOf(pieces, Color.WHITE).map(({ square }) => square)).toEqual(["d1", "a2"]);
    expect(piecesOf(pieces, Color.BLACK).map(({ square }) => square)).toEqual(["d8", "a7"]);
  });
});
