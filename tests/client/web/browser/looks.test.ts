// The page on a phone and a desktop, light and dark, for those who see it and those who do not.

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { squarePoint, waitForLines, waitForMoves } from "./board_page.ts";
import { programs, World } from "./world.ts";

describe.skipIf(!programs.kibitzd)("Looks", () => {
  let world: World;
  let page: Page;

  beforeAll(async () => void (world = await World.start()));
  afterAll(() => world.stop());
  afterEach(async () => expect(await world.endTest()).toEqual([]));

  /** What axe finds to be serious or worse. */
  async function findings(): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  }

  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  it.each([
    ["light", "FEN & PGN"],
    ["light", "Under the hood"],
    ["dark", "Play"],
    ["dark", "Set up"],
  ] as const)("has no serious finding of axe: %s, %s", async (colorScheme, name) => {
    page = await world.open("#moves=e2e4,e7e5,g1f3");
    await waitForLines(page);
    await page.keyboard.press(" ");
    await page.emulateMedia({ colorScheme });
    await page.getByRole("tab", { name }).click();
    if (name === "Set up") await page.getByRole("button", { name: "Set up a position" }).click();
    expect(await findings()).toEqual([]);
  });

  it.each(["light", "dark"] as const)(
    "has no serious finding of axe in a review and its lesson: %s",
    async (colorScheme) => {
      page = await world.open("#moves=f2f3,e7e5,g2g4,d8h4");
      await page.emulateMedia({ colorScheme });
      await page.getByRole("tab", { name: "Review" }).click();
      await page.getByLabel("Depth of the review").selectOption("20000");
      await page.getByRole("button", { name: "Review the game" }).click();
      await page.getByRole("group", { name: "Marked moves" }).getByRole("button").first().waitFor();
      await page.getByRole("button", { name: "Review again" }).waitFor();
      expect(await findings()).toEqual([]);
      await page.getByRole("button", { name: "Learn from the moments" }).click();
      await page.getByRole("button", { name: "Show the better line" }).click();
      await page.getByRole("list", { name: "The better line" }).waitFor();
      expect(await findings()).toEqual([]);
    },
  );

  it("is dark where the system is, and as the user says", async () => {
    page = await world.open();
    await page.emulateMedia({ colorScheme: "light" });
    const light = await background();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.getByRole("button", { name: "Theme: auto" }).click();
    expect(await background()).toBe(light);
    await page.reload();
    expect(await background()).toBe(light);
    await page.getByRole("button", { name: "Theme: light" }).click();
    await page.emulateMedia({ colorScheme: "light" });
    expect(await background()).toBe(dark);
    await page.getByRole("button", { name: "Theme: dark" }).click();
  });

  it("fits a phone, where moves are made by taps", async () => {
    page = await world.open();
    await page.setViewportSize({ width: 360, height: 740 });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(width).toBeLessThanOrEqual(360);
    const board = (await page.getByTestId("board").boundingBox())!;
    expect(board.width).toBeGreaterThan(300);
    const session = await page.context().newCDPSession(page);
    for (const square of ["e2", "e4"]) {
      const touchPoints = [await squarePoint(page, square)];
      await session.send("Input.dispatchTouchEvent", {
        type: "touchStart",
        touchPoints,
      });
      await session.send("Input.dispatchTouchEvent", {
        type: "touchEnd",
        touchPoints: [],
      });
    }
    await waitForMoves(page, "e4");
    expect(await findings()).toEqual([]);
  });

  it("moves nothing by itself where less motion is wanted", async () => {
    page = await world.open();
    await page.emulateMedia({ reducedMotion: "reduce" });
    const transition = await page.locator(".eval-white").evaluate((bar) => getComputedStyle(bar).transitionProperty);
    expect(transition).toBe("none");
  });

  it("can be reached by keyboard from end to end", async () => {
    page = await world.open();
    const reached = new Set<string>();
    for (let count = 0; count < 60; count++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const focus = document.activeElement;
        return focus?.getAttribute("aria-roledescription") || focus?.id || focus?.textContent || "";
      });
      reached.add(name.trim());
      if (name === "exchange-text") break;
    }
    for (const name of ["chess board", "Flip", "move-text", "Stop", "Threat", "tab-exchange", "exchange-text"]) {
      expect(reached).toContain(name);
    }
  });

  it("says moves and evaluation to screen readers", async () => {
    page = await world.open();
    await waitForLines(page);
    const said = page.getByTestId("announcements");
    await expect
      .poll(() => page.getByTestId("analysis-announcements").textContent())
      .toMatch(/^Best: .*; (equal|White is better by .*)\.$/);
    await page.keyboard.press("m");
    await page.keyboard.type("e4");
    await page.keyboard.press("Enter");
    await expect.poll(() => said.textContent()).toBe("e4. Black to move.");
  });
});
