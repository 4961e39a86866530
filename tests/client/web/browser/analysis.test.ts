// Live analysis in the browser: lines, limits, cancellation, and a server that comes and goes.

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { drag, waitForLines, waitForMoves, waitForStatus } from "./board_page.ts";
import { ask, programs, World } from "./world.ts";

const LONG_GAME =
  "#moves=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4,g8f6,e1g1,f8e7,f1e1,b7b5,a4b3,d7d6,c2c3,e8g8,h2h3,c6b8,d2d4,b8d7";

describe.skipIf(!programs.kibitzd)("AnalysisInBrowser", () => {
  let world: World;
  let page: Page;

  beforeAll(async () => void (world = await World.start()));
  afterAll(() => world.stop());
  afterEach(async () => expect(await world.endTest()).toEqual([]));

  /** How many analyses the server runs or keeps waiting. */
  async function analyses(): Promise<number> {
    const info = await ask(world.gateway.url, "GetServerInfo");
    return Number(info.liveAnalyses ?? 0) + Number(info.queuedAnalyses ?? 0);
  }

  const phase = () => page.getByTestId("phase");
  const scores = () => page.locator('[data-testid="lines"] .line-score');

  it("shows as many lines as asked for, with figures and chances", async () => {
    page = await world.open();
    await waitForLines(page);
    await page.getByText("Settings").click();
    await page.getByRole("slider", { name: "Lines" }).fill("5");
    await expect.poll(() => scores().count()).toBe(5);
    await page.getByRole("slider", { name: "Lines" }).fill("1");
    await expect.poll(() => scores().count()).toBe(1);
    await page
      .getByTestId("figure-depth")
      .getByText(/^\d+\/\d+$/)
      .waitFor();
    await page.getByTestId("figure-speed").getByText(/\/s$/).waitFor();
    await page
      .getByRole("img", {
        name: /White wins [\d.]+ %, Draw [\d.]+ %, Black wins [\d.]+ %/,
      })
      .waitFor();
    await expect
      .poll(() => page.getByRole("meter", { name: "Evaluation" }).getAttribute("aria-valuetext"))
      .toMatch(/equal|better/);
    await expect.poll(() => page.locator(".board [data-arrow]").count()).toBe(1);
  });

  it("stops and goes", async () => {
    page = await world.open();
    await waitForLines(page);
    await page.getByRole("button", { name: "Stop" }).click();
    await phase().getByText("Stopped").waitFor();
    await expect.poll(analyses).toBe(0);
    expect(await scores().count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await phase().getByText("Searching").waitFor();
    await expect.poll(analyses).toBe(1);
  });

  it("shows how busy the server is, and goes on asking", async () => {
    page = await world.open();
    await waitForLines(page);
    const load = page.getByRole("region", { name: "Server load" });
    await load.getByText("Searches").waitFor();
    // The search that goes on here is seen by the next question.
    await load.getByText(/^[\d.]+ [kMG]$/).waitFor();
    await expect.poll(() => load.locator("dd").first().textContent()).toBe("1");
  });

  it("ends at the depth asked for", async () => {
    page = await world.open();
    await page.getByText("Settings").click();
    await page.getByLabel("Limit").selectOption("depth");
    await page.getByRole("slider", { name: "Depth" }).fill("4");
    await phase().getByText("Depth reached").waitFor();
    await page.getByTestId("figure-depth").getByText(/^4\//).waitFor();
    await page.getByLabel("Limit").selectOption("infinite");
  });

  it("shows where a line leads, and plays it", async () => {
    page = await world.open();
    await page.getByText("Settings").click();
    await page.getByLabel("Limit").selectOption("depth");
    await page.getByRole("slider", { name: "Depth" }).fill("6");
    await phase().getByText("Depth reached").waitFor();
    const second = page.locator('[data-testid="lines"] .line').first().locator(".line-move").nth(1);
    const san = await second.textContent();
    await second.hover();
    await page.locator(".line-preview .mini-board").waitFor();
    await second.click();
    // The next position's lines come up under the pointer, and would be shown as well.
    await page.mouse.move(1, 1);
    await expect.poll(() => page.locator('[data-testid="moves"] .move.shown').textContent()).toBe(san);
    await page.locator(".line-preview").waitFor({ state: "detached" });
    await page.getByLabel("Limit").selectOption("infinite");
  });

  it("shows the threat", async () => {
    page = await world.open("#fen=4k3/8/8/8/8/8/3q4/K6R_w_-_-_0_1");
    await waitForLines(page);
    await page.keyboard.press("t");
    // Black, to move if White passes, mates or takes: a move of the queen or king either way.
    const first = page.locator('[data-testid="lines"] .line-move').first();
    await expect
      .poll(async () => (await first.count()) > 0 && /^[QK]/.test((await first.textContent()) ?? ""))
      .toBe(true);
    expect(await first.isDisabled()).toBe(true);
  });

  it("leaves no analysis behind after a hundred quick changes", async () => {
    page = await world.open(LONG_GAME);
    await waitForLines(page);
    for (let count = 0; count < 10; count++) {
      for (let step = 0; step < 5; step++) await page.keyboard.press("ArrowLeft");
      for (let step = 0; step < 5; step++) await page.keyboard.press("ArrowRight");
    }
    await waitForLines(page);
    await expect.poll(analyses).toBe(1);
    await page.keyboard.press(" ");
    await expect.poll(analyses).toBe(0);
  });

  it("leaves no analysis behind when the page is closed", async () => {
    page = await world.open();
    await waitForLines(page);
    await expect.poll(analyses).toBe(1);
    await page.close();
    await expect.poll(analyses).toBe(0);
  });

  it("serves two tabs at once", async () => {
    page = await world.open();
    const other = await world.open("#fen=8/8/8/8/8/4k3/4p3/4K3_w_-_-_0_1");
    await page.bringToFront();
    await drag(page, "e2", "e4");
    await waitForMoves(page, "e4");
    await waitForLines(page);
    await other.bringToFront();
    await waitForStatus(other, "Draw by stalemate");
    // The server has one worker: whether it shares it out or makes the second wait, the page says so.
    await other.goto(`${world.gateway.url}#moves=d2d4`);
    await waitForMoves(other, "d4");
    await other
      .getByTestId("phase")
      .getByText(/Searching|Queued, place 1/)
      .waitFor();
    await waitForStatus(page, "Black to move");
    await page.close();
    await waitForLines(other);
  });

  it("survives a server that is killed and started again in the middle of an analysis", async () => {
    page = await world.open("#moves=e2e4");
    await waitForLines(page);
    await world.server.stop("SIGKILL");
    await page.getByTestId("connection").getByText("Server gone").waitFor();
    await phase().getByText("Server gone; trying again…").waitFor();
    // What was found stays, and the game can be looked at.
    expect(await scores().count()).toBeGreaterThan(0);
    await page.keyboard.press("ArrowLeft");
    await waitForStatus(page, "White to move");
    await page.keyboard.press("ArrowRight");
    // A move made meanwhile is kept.
    await drag(page, "e7", "e5");
    await waitForStatus(page, "The analysis server does not answer.");
    await world.server.restart();
    await waitForMoves(page, "e4", "e5");
    await phase().getByText("Searching").waitFor();
    await expect.poll(analyses).toBe(1);
    await drag(page, "g1", "f3");
    await waitForMoves(page, "e4", "e5", "Nf3");
  });
});
