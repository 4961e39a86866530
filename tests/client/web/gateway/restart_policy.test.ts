import { beforeEach, describe, expect, it } from "vitest";

import { RestartPolicy } from "../../../../client/web/gateway/restart_policy.ts";

describe("RestartPolicy", () => {
  let now: number;
  let policy: RestartPolicy;

  beforeEach(() => {
    now = 0;
    const limits = { maxRestarts: 3, minDelayMs: 100, maxDelayMs: 300, healthyMs: 60_000 };
    policy = new RestartPolicy(limits, () => now);
  });

  function dieAfter(milliseconds: number): number | undefined {
    policy.listening();
    now += milliseconds;
    return policy.died();
  }

  it("waits longer before each restart, and then gives up", () => {
    expect([dieAfter(10), dieAfter(10), dieAfter(10), dieAfter(10)]).toEqual([100, 200, 300, undefined]);
    expect(policy.describe()).toBe("4 times in a row, never up for 60 s");
  });

  it("counts from the beginning after a time of health", () => {
    for (let count = 0; count < 100; count++) expect(dieAfter(60_000)).toBe(100);
    expect([dieAfter(59_999), dieAfter(59_999), dieAfter(59_999)]).toEqual([200, 300, undefined]);
  });

  it("counts starts that fail, however long they take", () => {
    dieAfter(60_000);
    now += 60_000;
    expect([policy.died(), policy.died(), policy.died()]).toEqual([200, 300, undefined]);
  });
});
