// The review of a game in the browser: from the call to the lesson.

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { drag, waitForPiece, waitForStatus } from "./board_page.ts";
import { ask, programs, World } from "./world.ts";

/** Black overlooks the mate of a scholar. */
const SCHOLARS_MATE = "#moves=e2e4,e7e5,f1c4,b8c6,d1h5,g8f6,h5f7";
const LONG_GAME =
  "#moves=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4,g8f6,e1g1,f8e7,f1e1,b7b5,a4b3,d7d6,c2c3,e8g8,h2h3,c6b8,d2d4,b8d7";

describe.skipIf(!programs.kibitzd)("ReviewInBrowser", () => {
  let world: World;
  let page: Page;

  beforeAll(async () => void (world = await World.start()));
  afterAll(() => world.stop());
  afterEach(async () => expect(await world.endTest()).toEqual([]));

  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const verdict = (words: string | RegExp) => page.getByTestId("verdict").getByText(words);
  const announced = (words: RegExp) =>
    page.getByTestId("announcements").getByText(words).waitFor({ state: "attached" });

  async function analyses(): Promise<number> {
    const info = await ask(world.gateway.url, "GetServerInfo");
    return Number(info.liveAnalyses ?? 0) + Number(info.queuedAnalyses ?? 0);
  }

  async function openReviewed(hash: string): Promise<void> {
    page = await world.open(hash);
    await page.getByRole("tab", { name: "Review" }).click();
    await page.getByLabel("Depth of the review").selectOption("20000");
    await button("Review the game").click();
    await page.getByRole("table", { name: "How both sides played" }).waitFor();
  }

  /** A review that takes longer than the test. */
  async function openReviewing(): Promise<void> {
    page = await world.open(LONG_GAME);
    await page.getByRole("tab", { name: "Review" }).click();
    await page.getByLabel("Depth of the review").selectOption("500000");
    await button("Review the game").click();
    await page.getByTestId("review-progress").getByText("of 21 positions").waitFor();
    await page.getByTestId("phase").getByText("Paused").waitFor();
  }

  it("reviews a game by one call, and says so when it is done", async () => {
    page = await world.open(SCHOLARS_MATE);
    const calls: string[] = [];
    await button("Stop").click();
    page.on("request", (request) => calls.push(request.url().split("/").at(-1)!));
    await page.getByRole("tab", { name: "Review" }).click();
    await page.getByLabel("Depth of the review").selectOption("20000");
    await button("Review the game").click();
    await announced(/^The review is done. Accuracy of White \d+ %, of Black \d+ %. \d+ moments? to learn from.$/);
    expect(calls.filter((call) => call.startsWith("Analyze"))).toEqual(["AnalyzeGame"]);
    await page.getByRole("img", { name: "Scores of 8 of 8 positions" }).waitFor();
    const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
    await row("Accuracy")
      .getByText(/^\d+ %$/)
      .first()
      .waitFor();
    await row("Average centipawn loss").getByText(/^\d+$/).first().waitFor();
    expect(await row("Blunders").getByRole("cell").allTextContents()).toEqual(["0", "1"]);
    for (const name of ["White", "Black"]) await page.getByRole("columnheader", { name }).waitFor();
  });

  it("marks the moves in the list and on the graph, where keys and clicks lead to them", async () => {
    await openReviewed(SCHOLARS_MATE);
    await button("Nf6, blunder").getByText("??").waitFor();
    const marks = page.getByRole("group", { name: "Marked moves" });
    const mark = marks.getByRole("button", { name: "3... Nf6, blunder" });
    await mark.click();
    await expect.poll(() => page.locator(".move.shown").textContent()).toBe("Nf6??");
    await page.keyboard.press("Home");
    await waitForPiece(page, "e2", "wp");
    await mark.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".move.shown").textContent()).toBe("Nf6??");
  });

  it("cancels", async () => {
    await openReviewing();
    await button("Cancel").click();
    await page.getByTestId("phase").getByText("Searching").waitFor();
    await button("Review the game").waitFor();
    await button("Stop").click();
    await expect.poll(analyses).toBe(0);
  });

  it("ends with the main line that it was about", async () => {
    await openReviewing();
    await page.getByLabel("Move", { exact: true }).fill("Nbd2");
    await button("Play").click();
    await button("Review the game").waitFor();
    await page.getByTestId("phase").getByText("Searching").waitFor();
    await button("Stop").click();
    await expect.poll(analyses).toBe(0);
  });

  it("goes on while another tab is looked at", async () => {
    await openReviewing();
    await page.getByRole("tab", { name: "Play" }).click();
    await button("Play from here").waitFor();
    expect(await page.getByTestId("phase").textContent()).toBe("Paused");
    expect(await analyses()).toBe(1);
    await page.getByRole("tab", { name: "Review" }).click();
    await button("Cancel").click();
    await button("Review the game").waitFor();
  });

  it("lets people learn from the moments", async () => {
    await openReviewed(SCHOLARS_MATE);
    await button("Learn from the moments").click();
    await page.getByRole("heading", { name: /^Moment 1 of \d+$/ }).waitFor();
    while (!(await page.getByText("Black played 3... Nf6?? (blunder).").isVisible())) await button("Next").click();
    await waitForStatus(page, "Black to move");
    await verdict("Find a better move").waitFor();
    expect(await page.locator('[data-testid="lines"] .line-move').count()).toBe(0);
    await drag(page, "a7", "a6");
    await verdict("a6 loses too much.").waitFor();
    await announced(/^a6 loses too much. Best: .+\.$/);
    // The try is no move of the game.
    await waitForPiece(page, "a7", "bp");
    expect(await page.locator('[data-testid="moves"] .move').count()).toBe(7);
    const best = await page.getByRole("list", { name: "The better line" }).getByRole("button").first().textContent();
    await page.getByLabel("Move", { exact: true }).fill(best!);
    await button("Play").click();
    await verdict(`${best} is the best move.`).waitFor();
    await page.getByLabel("Move", { exact: true }).fill("Nf6");
    await button("Play").click();
    await verdict("Nf6 is what was played").waitFor();
  });

  it("leads through a lesson by keyboard, and out of it", async () => {
    await openReviewed(SCHOLARS_MATE);
    await button("Learn from the moments").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Moment 1 of/);
    await button("Show the better line").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "The better line" }).waitFor();
    await page.keyboard.press("End");
    await waitForStatus(page, "Checkmate: White wins");
    await button("Back to the position").click();
    await button("Back to the position").waitFor({ state: "detached" });
    await button("Leave").focus();
    await page.keyboard.press("Enter");
    await button("Review again").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("tab-review");
  });

  it("copies the annotated game", async () => {
    await openReviewed(SCHOLARS_MATE);
    await button("Copy annotated PGN").click();
    await page.getByText("Annotated PGN copied.").waitFor();
    const pgn = await page.evaluate(() => navigator.clipboard.readText());
    expect(pgn).toMatch(/Nf6 \$4/);
    expect(pgn).toContain("[%eval ");
  });
});
