import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import {
  AnalyzeRequestSchema,
  type AnalyzeResponse,
  AnalyzeResponseSchema,
  StopReason,
} from "../../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import { type AnalysisView, Analyzer } from "../../../../../client/web/page/analysis/analyzer.ts";
import { FakeStream } from "../fake_stream.ts";

const request = create(AnalyzeRequestSchema, {});
const update = (depth: number) => create(AnalyzeResponseSchema, { event: { case: "update", value: { depth } } });
const queued = (place: number) => create(AnalyzeResponseSchema, { event: { case: "queued", value: { place } } });
const final = (stopReason: StopReason) =>
  create(AnalyzeResponseSchema, { event: { case: "final", value: { stopReason, result: { depth: 30 } } } });

describe("Analyzer", () => {
  let streams: FakeStream<AnalyzeResponse>[];
  let views: AnalysisView<string>[];
  let gone: number;
  let analyzer: Analyzer<string>;
  const settle = () => vi.advanceTimersByTimeAsync(150);
  const last = () => views.at(-1)!;

  beforeEach(() => {
    vi.useFakeTimers();
    [streams, views, gone] = [[], [], 0];
    analyzer = new Analyzer<string>(
      (_, signal) => {
        const stream = new FakeStream<AnalyzeResponse>(signal);
        streams.push(stream);
        return stream;
      },
      (view) => views.push(view),
      () => gone++,
    );
  });
  afterEach(() => void vi.useRealTimers());

  it("goes from the queue through updates to the end", async () => {
    analyzer.start("a", request);
    expect(last()).toMatchObject({ subject: "a", phase: { kind: "starting" } });
    streams[0]!.push(queued(3));
    await settle();
    expect(last().phase).toEqual({ kind: "queued", place: 3 });
    streams[0]!.push(update(12));
    await settle();
    expect(last()).toMatchObject({ phase: { kind: "searching" }, update: { depth: 12 } });
    streams[0]!.push(final(StopReason.TIME));
    await settle();
    expect(last()).toMatchObject({ phase: { kind: "finished", reason: StopReason.TIME }, update: { depth: 30 } });
    expect(streams).toHaveLength(1);
  });

  it("cancels the old search at once when another starts", async () => {
    analyzer.start("a", request);
    streams[0]!.push(update(5));
    analyzer.start("b", request);
    expect(streams[0]!.signal.aborted).toBe(true);
    streams[0]!.push(update(6));
    streams[1]!.push(update(1));
    await settle();
    expect(last()).toMatchObject({ subject: "b", update: { depth: 1 } });
    expect(views.filter((view) => view.subject === "a" && view.update)).toEqual([]);
  });

  it("leaves one search of a hundred quick starts", async () => {
    for (let count = 0; count < 100; count++) analyzer.start(String(count), request);
    await settle();
    expect(streams.filter((stream) => !stream.signal.aborted)).toHaveLength(1);
    expect(last().subject).toBe("99");
  });

  it("redraws at most ten times a second", async () => {
    analyzer.start("a", request);
    for (let count = 0; count < 200; count++) {
      streams[0]!.push(update(count));
      await vi.advanceTimersByTimeAsync(5);
    }
    expect(views.length).toBeGreaterThan(5);
    expect(views.length).toBeLessThanOrEqual(11);
  });

  it("keeps what it found when it is stopped", async () => {
    analyzer.start("a", request);
    streams[0]!.push(update(9));
    await settle();
    analyzer.stop();
    await settle();
    expect(streams[0]!.signal.aborted).toBe(true);
    expect(last()).toMatchObject({ phase: { kind: "idle" }, update: { depth: 9 } });
  });

  it("tries again, and shows what it had, when the server is gone", async () => {
    analyzer.start("a", request);
    streams[0]!.push(update(14));
    streams[0]!.push(new ConnectError("gone", Code.Unavailable));
    await settle();
    expect(last()).toMatchObject({ phase: { kind: "retrying" }, update: { depth: 14 } });
    expect(gone).toBe(1);
    await vi.advanceTimersByTimeAsync(600);
    expect(streams).toHaveLength(2);
    streams[1]!.push(update(3));
    await settle();
    expect(last()).toMatchObject({ phase: { kind: "searching" }, update: { depth: 3 } });
  });

  it("tries again after a shutdown, which ends a search in good order", async () => {
    analyzer.start("a", request);
    streams[0]!.push(final(StopReason.SHUTDOWN));
    await settle();
    expect(last().phase.kind).toBe("retrying");
  });

  it("does not insist on what is refused", async () => {
    analyzer.start("a", request);
    streams[0]!.push(new ConnectError("bad FEN", Code.InvalidArgument));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(last().phase).toMatchObject({ kind: "refused", failure: { message: "bad FEN" } });
    expect(streams).toHaveLength(1);
    expect(gone).toBe(0);
  });

  it("stops trying again when it is stopped", async () => {
    analyzer.start("a", request);
    streams[0]!.push(new ConnectError("gone", Code.Unavailable));
    await settle();
    analyzer.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(streams).toHaveLength(1);
  });
});
