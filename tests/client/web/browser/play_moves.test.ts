// Moves by mouse, by keyboard and by text, against the real server.

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { click, drag, waitForLines, waitForPiece, waitForMoves, waitForStatus } from "./board_page.ts";
import { programs, World } from "./world.ts";

describe.skipIf(!programs.kibitzd)("PlayMoves", () => {
  let world: World;
  let page: Page;

  beforeAll(async () => void (world = await World.start()));
  afterAll(() => world.stop());
  afterEach(async () => expect(await world.endTest()).toEqual([]));

  it("plays a game by mouse, by drags and by clicks, to mate", async () => {
    page = await world.open();
    await drag(page, "e2", "e4");
    await waitForMoves(page, "e4");
    await click(page, "e7");
    await click(page, "e5");
    await waitForMoves(page, "e4", "e5");
    await drag(page, "f1", "c4");
    await waitForMoves(page, "e4", "e5", "Bc4");
    await drag(page, "b8", "c6");
    await waitForMoves(page, "e4", "e5", "Bc4", "Nc6");
    await drag(page, "d1", "h5");
    await waitForMoves(page, "e4", "e5", "Bc4", "Nc6", "Qh5");
    await click(page, "g8");
    await click(page, "f6");
    await waitForMoves(page, "e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6");
    await drag(page, "h5", "f7");
    await waitForStatus(page, "Checkmate: White wins");
    await waitForPiece(page, "f7", "wq");
  });

  it("does not play what is not legal", async () => {
    page = await world.open();
    await drag(page, "e2", "e5");
    await drag(page, "e7", "e5");
    await drag(page, "e2", "e4");
    await waitForMoves(page, "e4");
    await waitForPiece(page, "e7", "bp");
  });

  it("castles, takes en passant and shows the rook where it belongs", async () => {
    page = await world.open("#fen=r3k2r/8/8/3pP3/8/8/8/R3K2R_w_KQkq_d6_0_1");
    await drag(page, "e5", "d6");
    await waitForMoves(page, "exd6");
    await page.locator('.board g[data-square="d5"]').waitFor({ state: "detached" });
    await drag(page, "e8", "c8");
    await waitForMoves(page, "exd6", "O-O-O");
    await waitForPiece(page, "d8", "br");
    await drag(page, "e1", "h1");
    await waitForMoves(page, "exd6", "O-O-O", "O-O");
    await waitForPiece(page, "f1", "wr");
  });

  it("plays a game by keyboard only, on the board", async () => {
    page = await world.open();
    await page.getByRole("application").focus();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press("Enter", "ArrowUp", "ArrowUp", "Enter");
    await waitForMoves(page, "e4");
    await press("ArrowUp", "ArrowUp", "ArrowUp", "Enter", "ArrowDown", "ArrowDown", "Enter");
    await waitForMoves(page, "e4", "e5");
    await page.getByTestId("announcements").getByText("e5. White to move.").waitFor({ state: "attached" });
  });

  it("plays by text and says what is wrong with a text", async () => {
    page = await world.open();
    await page.keyboard.press("m");
    await page.keyboard.type("Nf3");
    await page.keyboard.press("Enter");
    await waitForMoves(page, "Nf3");
    await page.keyboard.type("Nf3");
    await page.keyboard.press("Enter");
    await page.getByText("“Nf3” is not legal here").waitFor();
  });

  it("asks what a pawn becomes, and takes the pawn back when nothing is chosen", async () => {
    page = await world.open("#fen=8/P6k/8/8/8/8/8/K7_w_-_-_0_1");
    await drag(page, "a7", "a8");
    await page.getByRole("dialog", { name: "Promote to" }).waitFor();
    await page.keyboard.press("Escape");
    await waitForPiece(page, "a7", "wp");
    await drag(page, "a7", "a8");
    await page.getByRole("button", { name: "Knight" }).click();
    await waitForMoves(page, "a8=N");
    await waitForPiece(page, "a8", "wn");
  });

  it("castles in Chess960, where the king may take its own rook", async () => {
    page = await world.open("#chess960&fen=7k/8/8/8/8/8/8/1R3KR1_w_GB_-_0_1");
    await drag(page, "f1", "g1");
    await waitForMoves(page, "O-O");
    await waitForPiece(page, "g1", "wk");
    await waitForPiece(page, "f1", "wr");
  });

  it("shows live lines for each position", async () => {
    page = await world.open();
    await waitForLines(page);
    expect(await page.locator('[data-testid="lines"] .line-score').count()).toBeGreaterThan(0);
    await drag(page, "d2", "d4");
    await waitForMoves(page, "d4");
    await page.locator('[data-testid="lines"] .move-number').first().getByText("1...").waitFor();
  });
});
