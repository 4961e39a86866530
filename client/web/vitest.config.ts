// The tests are beside the other tests of the tree. Those in a browser want KIBITZD and KIBITZ_SITE, which
// `./kibitz test web` sets; without them they are skipped.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const tree = fileURLToPath(new URL("../..", import.meta.url));

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  server: { fs: { allow: [tree] } },
  test: {
    dir: `${tree}tests/client/web`,
    include: [`${tree}tests/client/web/**/*.test.ts`],
    // The browser's tests share two cores with a chess engine: one file at a time.
    fileParallelism: false,
    isolate: false,
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
