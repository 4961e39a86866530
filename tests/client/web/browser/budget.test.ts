// What the page may cost. Times are measured by `./kibitz web measure`; here is what no slow machine can change.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { waitForLines } from "./board_page.ts";
import { programs, World } from "./world.ts";

const MAX_SCRIPT_BYTES = 150_000;

describe.skipIf(!programs.kibitzd)("Budget", () => {
  let world: World;

  beforeAll(async () => void (world = await World.start()));
  afterAll(() => world.stop());
  afterEach(async () => expect(await world.endTest()).toEqual([]));

  it("ships all its script in less than 150 kB, compressed", () => {
    const assets = join(programs.site, "page", "assets");
    const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
    const size = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0);
    expect(scripts.length).toBeGreaterThan(0);
    expect(size).toBeLessThan(MAX_SCRIPT_BYTES);
  });

  it("redraws the analysis at most ten times a second", async () => {
    const page = await world.open();
    await waitForLines(page);
    const { redraws, seconds } = await page.evaluate(async () => {
      const begin = performance.now();
      const times = new Set<number>();
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          times.add(performance.now());
          if (times.size >= 20) resolve();
        });
        observer.observe(document.querySelector(".figures")!, { subtree: true, childList: true, characterData: true });
      });
      return { redraws: times.size, seconds: (performance.now() - begin) / 1000 };
    });
    expect(redraws).toBeLessThanOrEqual(Math.ceil(10 * seconds) + 1);
  });

  it("asks nobody but its own gateway for anything", async () => {
    const page = await world.newPage();
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(world.gateway.url)) foreign.push(request.url());
    });
    await page.goto(world.gateway.url);
    await waitForLines(page);
    expect(foreign).toEqual([]);
  });
});
