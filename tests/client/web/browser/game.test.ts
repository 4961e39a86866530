// Whole games in the browser: variations, texts in and out, set-up, play against the engine.

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { click, drag, squarePoint, waitForPiece, waitForMoves, waitForStatus } from "./board_page.ts";
import { programs, World } from "./world.ts";

describe.skipIf(!programs.kibitzd)("GameInBrowser", () => {
  let world: World;
  let page: Page;

  beforeAll(async () => void (world = await World.start()));
  afterAll(() => world.stop());
  afterEach(async () => expect(await world.endTest()).toEqual([]));

  const tab = (name: string) => page.getByRole("tab", { name }).click();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  async function paste(text: string): Promise<void> {
    await page.getByLabel("FEN or PGN").fill(text);
    await page.getByRole("button", { name: "Load" }).click();
  }

  it("keeps variations, and goes through them by keys and wheel", async () => {
    page = await world.open("#moves=e2e4,e7e5,g1f3");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => page.locator(".move.shown").textContent()).toBe("e4");
    await drag(page, "c7", "c5");
    await waitForMoves(page, "e4", "e5", "c5", "Nf3");
    expect(await page.locator(".variation .move").allTextContents()).toEqual(["c5"]);
    await page.getByRole("button", { name: "Make main line" }).click();
    await waitForMoves(page, "e4", "c5", "e5", "Nf3");
    const { x, y } = await squarePoint(page, "e4");
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -100);
    await expect.poll(() => page.locator(".move.shown").textContent()).toBe("e4");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.locator(".move.shown").textContent()).toBe("e5");
    await page.getByRole("button", { name: "Delete from here" }).click();
    await waitForMoves(page, "e4", "c5");
  });

  it("reads a PGN with comments and variations, and writes it again", async () => {
    page = await world.open();
    await paste('[White "A"]\n[Black "B"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 1-0');
    await waitForMoves(page, "e4", "e5", "c5", "Nf3", "Nf3", "Nc6", "Bb5");
    await page.getByRole("button", { name: "Copy PGN" }).click();
    await page.getByText("PGN copied.").waitFor();
    const pgn = await clipboard();
    expect(pgn).toContain('[White "A"]');
    expect(pgn).toContain("1. e4 {best} 1... e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5");
  });

  const MANY =
    '[White "Ann"]\n[Black "Eve"]\n[Event "Rome"]\n\n1. e4 e5 *\n\n[White "Bob"]\n[Black "Kim"]\n[Event "Oslo"]\n\n1. d4 d5 *\n';

  it("opens a file of many games, and lets one be chosen", async () => {
    page = await world.open();
    const file = { name: "many.pgn", mimeType: "text/plain", buffer: Buffer.from(MANY) };
    await page.getByLabel("A file of games, or drop it anywhere").setInputFiles(file);
    await page.getByLabel("Find one of 2 games of many.pgn").fill("oslo");
    await expect.poll(() => page.getByTestId("game-list").getByRole("button").allTextContents()).toHaveLength(1);
    await page.getByRole("button", { name: "2. Bob – Kim, Oslo" }).click();
    await waitForMoves(page, "d4", "d5");
  });

  it("takes a file that is dropped on the page, whichever tab is open", async () => {
    page = await world.open();
    await tab("Play");
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "dropped.pgn"));
      return transfer;
    }, MANY);
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
    await page.getByRole("button", { name: "1. Ann – Eve, Rome" }).press("Enter");
    await waitForMoves(page, "e4", "e5");
  });

  it("says what is wrong with a broken PGN, and where, and leaves the game alone", async () => {
    page = await world.open("#moves=d2d4");
    await paste("1. e4 e5\n2. Ke3 Nc6");
    await page.getByText("Line 2, column 4: “Ke3” is not legal here.").waitFor();
    const selected = await page.evaluate(() => getSelection()?.toString());
    expect(selected).toBe("Ke3");
    await paste("1. e4 {never closed");
    await page.getByText("Line 1, column 7: this comment is not closed by }.").waitFor();
    await waitForMoves(page, "d4");
  });

  it("reads a FEN, and says what is wrong with a bad one", async () => {
    page = await world.open();
    await paste("3k4/8/8/8/8/8/8/4K2R w K - 0 1");
    await waitForPiece(page, "d8", "bk");
    await waitForStatus(page, "White to move");
    await page.getByRole("button", { name: "Copy FEN" }).click();
    await expect.poll(clipboard).toBe("3k4/8/8/8/8/8/8/4K2R w K - 0 1");
    await paste("3k4/8/8/8/8/8/8/7R w - - 0 1");
    await page.getByText(/^The FEN is not good: .*king/).waitFor();
    await waitForPiece(page, "d8", "bk");
  });

  it("puts the game into the address, and finds it there again", async () => {
    page = await world.open();
    await drag(page, "e2", "e4");
    await waitForMoves(page, "e4");
    await page.keyboard.press("f");
    await expect.poll(() => new URL(page.url()).hash).toBe("#moves=e2e4&flip");
    await page.reload();
    await waitForMoves(page, "e4");
    const [white, black] = [await squarePoint(page, "e1"), await squarePoint(page, "e8")];
    expect(white.y).toBeLessThan(black.y);
    await page.goto(`${world.gateway.url}#moves=e2e4,e7e4`);
    await page.getByText("The link’s move 2".replace("’", "'")).waitFor();
  });

  it("starts over", async () => {
    page = await world.open("#moves=e2e4,e7e5");
    await page.getByRole("button", { name: "Start over" }).click();
    await waitForMoves(page);
    await waitForPiece(page, "e2", "wp");
  });

  it("sets up a position by pointer and keyboard", async () => {
    page = await world.open();
    await tab("Set up");
    await page.getByRole("button", { name: "Set up a position" }).click();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("button", { name: "white king" }).click();
    await click(page, "e1");
    await page.getByRole("button", { name: "Use this position" }).click();
    await page.getByText(/The FEN is not good: .*king/).waitFor();
    await click(page, "a8");
    await page.getByRole("button", { name: "erase" }).click();
    await click(page, "a8");
    await page.getByRole("application").focus();
    for (const key of ["ArrowDown", "ArrowDown", "k"]) await page.keyboard.press(key);
    await waitForPiece(page, "a6", "bk");
    await page.getByRole("button", { name: "Use this position" }).click();
    await waitForStatus(page, "Draw: neither side can mate");
  });

  it("plays against the engine", async () => {
    page = await world.open();
    await tab("Play");
    await page.getByLabel("Full strength").check();
    await page.getByRole("button", { name: "Play from here" }).click();
    await page.getByTestId("opponent").getByText("Your move.").waitFor();
    await drag(page, "e2", "e4");
    await expect
      .poll(() => page.locator('[data-testid="moves"] .move').count(), {
        timeout: 20_000,
      })
      .toBe(2);
    await page.getByTestId("opponent").getByText("Your move.").waitFor();
    expect(await page.locator(".board [data-arrow]").count()).toBe(0);
    await page.getByRole("button", { name: "End the game and analyse" }).click();
    await page.getByTestId("phase").getByText("Searching").waitFor();
  });

  it("plays against the engine at a strength, or says that it cannot", async () => {
    page = await world.open();
    await tab("Play");
    await page.getByLabel("You play").selectOption("black");
    await page.getByRole("slider", { name: "Strength" }).fill("1200");
    await page.getByRole("button", { name: "Play from here" }).click();
    await expect
      .poll(() => page.locator('[data-testid="moves"] .move').count(), {
        timeout: 20_000,
      })
      .toBe(1);
    const words = await page.locator(".play").textContent();
    expect(words).toMatch(/at about 1200|cannot limit its strength/);
  });

  it("shows what is under the hood", async () => {
    page = await world.open();
    await page.keyboard.press(" ");
    await tab("Under the hood");
    await page.getByRole("slider", { name: "Depth" }).fill("4");
    await page.getByRole("button", { name: "Count" }).click();
    await page.getByTestId("perft-total").getByText("197,281 leaves").waitFor();
    expect(await page.locator(".divide li").count()).toBe(20);
    const attacks = page.getByTestId("attacks").locator("code");
    await expect.poll(() => attacks.count()).toBeGreaterThan(3);
    expect(new Set(await attacks.allTextContents())).toEqual(new Set(["0x00080808f7080800"]));
    await page.getByLabel("Square", { exact: true }).selectOption("a1");
    await expect.poll(() => attacks.first().textContent()).toBe("0x0000000000000102");
  });

  it("explains the evaluation of the position shown", async () => {
    page = await world.open("#fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1&moves=e2e4");
    await tab("Under the hood");
    const term = (name: string) => page.getByTestId("terms").getByRole("row", { name });
    await term("Material").getByText(/^\+/).waitFor();
    await page.getByTestId("terms").locator(".term-bar .white").first().waitFor();
    await page
      .getByTestId("net")
      .getByText(/^e4 \+/)
      .waitFor();
    const sum = await term("Sum").textContent();
    await page.getByRole("button", { name: "One move back" }).click();
    await expect.poll(() => term("Sum").textContent()).not.toBe(sum);
  });
});
