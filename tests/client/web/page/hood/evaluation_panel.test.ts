import { describe, expect, it } from "vitest";

import { scaleOf } from "../../../../../client/web/page/hood/evaluation_panel.tsx";

describe("EvaluationPanel", () => {
  it("makes room for the largest term, and does not blow small ones up", () => {
    expect(scaleOf([{ value: 30 }, { value: -420 }])).toBe(420);
    expect(scaleOf([{ value: 30 }, { value: -42 }])).toBe(100);
    expect(scaleOf([])).toBe(100);
  });
});
