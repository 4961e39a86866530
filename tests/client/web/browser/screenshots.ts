// `./kibitz web screenshots`: the main states of the page, for the README.

import { fileURLToPath } from "node:url";

import type { Page } from "playwright-core";

import { waitForMoves } from "./board_page.ts";
import { World } from "./world.ts";

const folder = fileURLToPath(new URL("../../../../client/web/screenshots/", import.meta.url));

const GAME =
  "1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5 4. c3) a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 8. c3 d5 " +
  "9. exd5 Nxd5 10. Nxe5 Nxe5 11. Rxe5 c6 12. d4 Bd6 13. Re1 Qh4 14. g3 Qh3";

async function depthReached(page: Page, depth: number): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      Number.parseInt(document.querySelector('[data-testid="figure-depth"]')?.textContent ?? "", 10) >= wanted,
    depth,
  );
}

const states: Record<string, (world: World) => Promise<Page>> = {
  async analysis(world) {
    const page = await world.open();
    await page.setViewportSize({ width: 1000, height: 680 });
    await page.getByLabel("FEN or PGN").fill(GAME);
    await page.getByRole("button", { name: "Load" }).click();
    await page.getByText("Loaded.").waitFor();
    await page.getByRole("tab", { name: "Review" }).click();
    await page.getByRole("button", { name: "Review the game" }).click();
    await page.getByRole("button", { name: "Review again" }).waitFor({ timeout: 120_000 });
    await depthReached(page, 14);
    await page.evaluate(() => window.scrollTo(0, 0));
    return page;
  },
  async preview(world) {
    const page = await world.open("#moves=d2d4,g8f6,c2c4,e7e6,b1c3,f8b4");
    await page.setViewportSize({ width: 1000, height: 680 });
    await page.emulateMedia({ colorScheme: "dark" });
    await depthReached(page, 12);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator(".line-move").nth(4).hover();
    await page.locator(".line-preview").waitFor();
    return page;
  },
  async phone(world) {
    const page = await world.open("#moves=e2e4,c7c5");
    await page.setViewportSize({ width: 390, height: 720 });
    await depthReached(page, 12);
    return page;
  },
  async gone(world) {
    const page = await world.open("#moves=e2e4");
    await page.setViewportSize({ width: 800, height: 560 });
    await depthReached(page, 10);
    await world.server.stop("SIGKILL");
    await page.getByText("Server gone; trying again…").waitFor();
    return page;
  },
  async hood(world) {
    const page = await world.open("#moves=e2e4,e7e5,g1f3");
    await waitForMoves(page, "e4", "e5", "Nf3");
    await page.setViewportSize({ width: 1000, height: 680 });
    await page.getByRole("tab", { name: "Under the hood" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Count" }).click();
    await page.getByTestId("perft-total").getByText("leaves").waitFor();
    await page.getByTestId("attacks").locator("svg").first().waitFor();
    await page.getByRole("heading", { name: "Perft" }).evaluate((heading) => heading.scrollIntoView());
    return page;
  },
};

const world = await World.start();
try {
  for (const [name, show] of Object.entries(states)) {
    const page = await show(world);
    await page.screenshot({ path: `${folder}${name}.png` });
    await world.endTest();
    if (name === "gone") await world.server.restart();
  }
} finally {
  await world.stop();
}
