// Builds the page, or with `--mode gateway` the gateway as one file that needs no node_modules.

import { defineConfig } from "vite";

const page = {
  base: "./",
  // The oldest browsers that know light-dark().
  build: {
    target: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
};

const gateway = {
  publicDir: false as const,
  ssr: { noExternal: true as const },
  build: { ssr: "gateway/main.ts", target: "node22", rollupOptions: { output: { entryFileNames: "gateway.js" } } },
};

export default defineConfig(({ mode }) => ({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  ...(mode === "gateway" ? gateway : page),
}));
