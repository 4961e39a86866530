import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";

import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../../../../../client/web/generated/google/rpc/error_details_pb.ts";
import { backoffMs } from "../../../../../client/web/page/rpc/backoff.ts";
import { describeFailure, worthRetrying } from "../../../../../client/web/page/rpc/failure.ts";

describe("describeFailure", () => {
  it("takes the server's words for what is wrong, and where", () => {
    const fieldViolations = [{ field: "position.fen", description: "White has no king" }];
    const error = new ConnectError("position.fen: White has no king", Code.InvalidArgument, undefined, [
      { desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations }) },
      { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason: "INVALID_FEN" }) },
    ]);
    expect(describeFailure(error)).toEqual({
      kind: "refused",
      message: "White has no king",
      field: "position.fen",
      reason: "INVALID_FEN",
      retryMs: undefined,
    });
  });

  it("knows when a full server wants to be asked again", () => {
    const retryDelay = { seconds: 2n, nanos: 500_000_000 };
    const error = new ConnectError("full", Code.ResourceExhausted, undefined, [
      { desc: RetryInfoSchema, value: create(RetryInfoSchema, { retryDelay }) },
    ]);
    const failure = describeFailure(error);
    expect(failure).toMatchObject({ kind: "full", retryMs: 2500 });
    expect(worthRetrying(failure)).toBe(true);
    expect(backoffMs(0, failure.retryMs)).toBe(2500);
  });

  it.each([
    [new ConnectError("x", Code.Unavailable), "gone"],
    [new TypeError("Failed to fetch"), "gone"],
    [new ConnectError("x", Code.Unimplemented), "unsupported"],
    [new ConnectError("x", Code.PermissionDenied), "refused"],
    [new ConnectError("x", Code.Canceled), "gone"],
  ])("sorts %s", (error, kind) => expect(describeFailure(error).kind).toBe(kind));
});

describe("backoffMs", () => {
  it("grows to five seconds", () => {
    expect([0, 1, 2, 3, 4, 50].map((attempt) => backoffMs(attempt))).toEqual([500, 1000, 2000, 4000, 5000, 5000]);
  });
});
