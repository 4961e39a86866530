import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Pacer } from "../../../../../client/web/page/analysis/pacer.ts";

describe("Pacer", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("passes the first value at once and later the latest", () => {
    const delivered: number[] = [];
    const pacer = new Pacer<number>(100, (value) => delivered.push(value));
    for (let value = 1; value <= 5; value++) pacer.offer(value);
    expect(delivered).toEqual([1]);
    vi.advanceTimersByTime(100);
    expect(delivered).toEqual([1, 5]);
  });

  it("never delivers more often than the interval, however often it is offered something", () => {
    const times: number[] = [];
    const pacer = new Pacer<number>(100, () => times.push(Date.now()));
    for (let step = 0; step < 1000; step++) {
      pacer.offer(step);
      vi.advanceTimersByTime(7);
    }
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    expect(times.length).toBeGreaterThan(60);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
  });

  it("forgets what waits when told so", () => {
    const delivered: string[] = [];
    const pacer = new Pacer<string>(100, (value) => delivered.push(value));
    pacer.offer("old");
    pacer.offer("stale");
    pacer.drop();
    vi.advanceTimersByTime(500);
    expect(delivered).toEqual(["old"]);
  });
});
