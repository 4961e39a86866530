// `./kibitz web measure`: what the page costs on this machine, against its budgets. Exits with 1 if one is missed.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import type { Page } from "playwright-core";

import { drag, waitForLines, waitForMoves } from "./board_page.ts";
import { programs, World } from "./world.ts";

const LOADS = 5;
const STREAM_MS = 10_000;

interface Figure {
  name: string;
  value: number;
  max: number;
  unit: string;
}

function scriptBytes(): number {
  const assets = join(programs.site, "page", "assets");
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  return scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0);
}

/** Milliseconds from the navigation to a board with pieces that may be moved, in a browser that has nothing cached. */
async function timeToFirstMove(world: World): Promise<number> {
  const page = await world.newPage();
  await page.addInitScript(() => {
    const check = () => {
      const playable = document.querySelector(".board .input-enabled") && document.querySelector(".pieces g");
      if (playable) Object.assign(window, { playableAt: performance.now() });
      else requestAnimationFrame(check);
    };
    requestAnimationFrame(check);
  });
  await page.goto(world.gateway.url);
  await page.waitForFunction(() => "playableAt" in window);
  const time = await page.evaluate(() => (window as unknown as { playableAt: number }).playableAt);
  await drag(page, "e2", "e4");
  await waitForMoves(page, "e4");
  await world.endTest();
  return time;
}

/** The longest task and the redraws a second while five lines stream. */
async function stream(world: World): Promise<{ longestTask: number; redraws: number }> {
  const page: Page = await world.open();
  await waitForLines(page);
  await page.getByText("Settings").click();
  await page.getByRole("slider", { name: "Lines" }).fill("5");
  const figures = await page.evaluate(async (duration) => {
    const tasks = [0];
    const redraws = new Set<number>();
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
      type: "longtask",
    });
    new MutationObserver(() => redraws.add(performance.now())).observe(document.querySelector(".figures")!, {
      subtree: true,
      characterData: true,
    });
    await new Promise((resolve) => setTimeout(resolve, duration));
    return {
      longestTask: Math.max(...tasks),
      redraws: redraws.size / (duration / 1000),
    };
  }, STREAM_MS);
  await world.endTest();
  return figures;
}

async function measure(): Promise<Figure[]> {
  const world = await World.start();
  try {
    const loads: number[] = [];
    for (let count = 0; count < LOADS; count++) loads.push(await timeToFirstMove(world));
    const { longestTask, redraws } = await stream(world);
    return [
      {
        name: "script, compressed",
        value: scriptBytes() / 1000,
        max: 150,
        unit: "kB",
      },
      {
        name: `first move playable, median of ${LOADS}`,
        value: loads.sort((a, b) => a - b)[2]!,
        max: 1000,
        unit: "ms",
      },
      {
        name: "longest task over 50 ms while lines stream",
        value: longestTask,
        max: 50,
        unit: "ms",
      },
      { name: "redraws a second", value: redraws, max: 10, unit: "" },
    ];
  } finally {
    await world.stop();
  }
}

const figures = await measure();
for (const { name, value, max, unit } of figures) {
  console.log(`${name.padEnd(45)} ${value.toFixed(1).padStart(8)} ${unit.padEnd(3)} (at most ${max})`);
}
process.exit(figures.every(({ value, max }) => value <= max) ? 0 : 1);
