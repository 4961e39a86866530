import { describe, expect, it } from "vitest";

import { CallLimiter } from "../../../../client/web/gateway/call_limiter.ts";

describe("CallLimiter", () => {
  it("bounds each client by itself", () => {
    const limiter = new CallLimiter(2, 10);
    expect(limiter.enter("a")).toBeDefined();
    const leave = limiter.enter("a")!;
    expect(limiter.enter("a")).toBeUndefined();
    expect(limiter.enter("b")).toBeDefined();
    leave();
    expect(limiter.enter("a")).toBeDefined();
  });

  it("bounds all clients together", () => {
    const limiter = new CallLimiter(2, 3);
    const leave = limiter.enter("a")!;
    limiter.enter("b");
    limiter.enter("c");
    expect(limiter.enter("d")).toBeUndefined();
    leave();
    expect(limiter.enter("d")).toBeDefined();
  });
});
