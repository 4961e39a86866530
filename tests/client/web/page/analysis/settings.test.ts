import { create, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";

import {
  GetServerInfoResponse_CapsSchema as CapsSchema,
  LimitsSchema,
} from "../../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import { PositionSchema } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";
import {
  boundsOf,
  DEFAULT_SETTINGS,
  readSettings,
  toRequest,
  withinBounds,
} from "../../../../../client/web/page/analysis/settings.ts";

const caps = (maxMultiPv: number, maxThreads: number, maxDepth = 240, seconds = 3600n) =>
  create(CapsSchema, { maxMultiPv, maxThreads, maxDepth, maxSearchTime: { seconds } });
const position = create(PositionSchema, {});

describe("Settings", () => {
  it("offers no more than the server allows", () => {
    expect(boundsOf(caps(2, 8))).toEqual({ lines: 2, threads: 8, seconds: 120, depth: 60 });
    expect(boundsOf(caps(256, 1)).lines).toBe(5);
    expect(boundsOf(caps(5, 1, 12, 30n))).toMatchObject({ seconds: 30, depth: 12 });
  });

  it("keeps wishes within the bounds", () => {
    const wishes = { ...DEFAULT_SETTINGS, lines: 5, threads: 64, depth: 0 };
    expect(withinBounds(wishes, boundsOf(caps(3, 4)))).toMatchObject({ lines: 3, threads: 4, depth: 1 });
  });

  it("asks for the limit that was chosen, and for no other", () => {
    const limits = (limit: "infinite" | "time" | "depth") =>
      toJson(LimitsSchema, toRequest(position, { ...DEFAULT_SETTINGS, limit, seconds: 7, depth: 9 }).limits!);
    expect(limits("infinite")).toEqual({ infinite: true });
    expect(limits("time")).toEqual({ movetime: "7s" });
    expect(limits("depth")).toEqual({ depth: 9 });
  });

  it.each([null, "", "{", "[]", "7", '{"lines":"x","limit":"forever","depth":1.5}'])(
    "survives %j in the browser's store",
    (stored) => expect(readSettings(stored)).toEqual(DEFAULT_SETTINGS),
  );

  it("remembers", () => {
    const settings = { ...DEFAULT_SETTINGS, lines: 5, on: false, limit: "depth" as const };
    expect(readSettings(JSON.stringify(settings))).toEqual(settings);
  });
});
