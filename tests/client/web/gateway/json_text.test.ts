import { create, type DescMessage, fromJson, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";

import { jsonText } from "../../../../client/web/gateway/json_text.ts";
import {
  AnalyzeResponseSchema,
  EvaluateResponseSchema,
  GetServerInfoResponseSchema,
  PerftResponseSchema,
} from "../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import { LegalMovesResponseSchema } from "../../../../client/web/generated/kibitz/v1/position_pb.ts";

/** Both ways to JSON, of a message that is written in JSON. */
function expectSame(desc: DescMessage, json: JsonValue): void {
  const message = fromJson(desc, json);
  const text = jsonText(desc, Buffer.from(toBinary(desc, message)));
  expect(JSON.parse(text)).toEqual(toJson(desc, message));
}

describe("jsonText", () => {
  it("is what the library makes of a message", () => {
    expectSame(LegalMovesResponseSchema, {
      fen: 'a "quoted" \\ \u2028 text with ♞ and \u0007',
      inCheck: true,
      status: "GAME_STATUS_CHECKMATE",
      moves: [{ uci: "e2e4", san: "e4" }, {}, { uci: "e1g1", san: "O-O" }],
    });
    expectSame(AnalyzeResponseSchema, {
      final: {
        result: {
          depth: 12,
          nodes: "9007199254740993",
          elapsed: "1.250s",
          lines: [{ rank: 1, score: { centipawns: -30 }, wdl: { draw: 1000 }, pvUci: ["e2e4", "e7e5"] }, { rank: 2 }],
        },
        bestMove: "e2e4",
        stopReason: "STOP_REASON_DEPTH",
        provenance: { fresh: true, storedAt: "2026-11-19T23:00:00.500Z" },
      },
    });
    expectSame(EvaluateResponseSchema, {
      sum: -0.25,
      terms: [{ kind: "TERM_KIND_PAWNS", white: { middlegame: 1e-9 } }],
    });
    expectSame(GetServerInfoResponseSchema, { version: "1", uptime: "3600s", caps: { maxDepth: 100 } });
    expectSame(PerftResponseSchema, { divide: { nodes: "18446744073709551615" } });
  });

  it("shows what is set to its default, where that says something", () => {
    expectSame(AnalyzeResponseSchema, { update: {} });
    expectSame(AnalyzeResponseSchema, { update: { lines: [{ score: { centipawns: 0 } }] } });
    expectSame(LegalMovesResponseSchema, {});
  });

  it("passes over what it does not know, and throws at what is cut off", () => {
    const bytes = Buffer.from(toBinary(LegalMovesResponseSchema, create(LegalMovesResponseSchema, { fen: "start" })));
    const unknown = Buffer.from([0xfa, 0x3f, 2, 1, 2, 0xf8, 0x3f, 5]);
    expect(jsonText(LegalMovesResponseSchema, Buffer.concat([unknown, bytes]))).toBe('{"fen":"start"}');
    for (let size = 1; size < bytes.length; size++) {
      expect(() => jsonText(LegalMovesResponseSchema, bytes.subarray(0, size))).toThrow(RangeError);
    }
  });
});
