// The board as a user handles it.

import type { Page } from "playwright-core";

/** Waits until the board takes a gesture: the server has answered for the position, and it is drawn at its full size. */
async function waitForBoard(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const board = document.querySelector<HTMLElement>(".board")!;
    const drawn = board.querySelector("svg")!.getBoundingClientRect().width;
    const asking = document.querySelector('[data-testid="status"]')!.textContent === "Asking the server…";
    return !asking && board.dataset.busy === "false" && Math.abs(drawn - board.clientWidth) < 1;
  });
}

/** The middle of a square on the screen. */
export async function squarePoint(page: Page, square: string): Promise<{ x: number; y: number }> {
  await waitForBoard(page);
  const box = (await page.locator(`.board rect[data-square="${square}"]`).boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export async function drag(page: Page, from: string, to: string): Promise<void> {
  const [source, target] = [await squarePoint(page, from), await squarePoint(page, to)];
  await page.mouse.move(source.x, source.y);
  await page.mouse.down();
  await page.mouse.move((source.x + target.x) / 2, (source.y + target.y) / 2);
  await page.mouse.move(target.x, target.y);
  await page.mouse.up();
}

export async function click(page: Page, square: string): Promise<void> {
  const { x, y } = await squarePoint(page, square);
  await page.mouse.click(x, y);
}

/** Waits until the list shows exactly these moves, and the server has answered for the last. */
export async function waitForMoves(page: Page, ...sans: string[]): Promise<void> {
  await page.waitForFunction((wanted) => {
    const moves = [...document.querySelectorAll('[data-testid="moves"] .move')].map((move) => move.textContent);
    const status = document.querySelector('[data-testid="status"]')?.textContent ?? "";
    return moves.join(" ") === wanted && /to move|wins|Draw/.test(status);
  }, sans.join(" "));
}

export async function waitForStatus(page: Page, words: string): Promise<void> {
  await page.getByTestId("status").getByText(words, { exact: true }).waitFor();
}

/** Waits until a search has shown at least one line. */
export async function waitForLines(page: Page): Promise<void> {
  await page.locator('[data-testid="lines"] .line-score').first().waitFor();
}

/** Waits until the board shows a piece on a square, such as "wq". */
export async function waitForPiece(page: Page, square: string, piece: string): Promise<void> {
  await page.locator(`.board g[data-square="${square}"][data-piece="${piece}"]`).first().waitFor({ state: "attached" });
}
