import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (file: string) => fileURLToPath(new URL(`./src/${file}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^tenterhook$/, replacement: source("index.ts") },
      { find: /^tenterhook\/core$/, replacement: source("core.ts") },
      { find: /^tenterhook\/rules$/, replacement: source("rules.ts") },
      { find: /^tenterhook\/agent$/, replacement: source("agent.ts") },
      { find: /^tenterhook\/config$/, replacement: source("config.ts") },
      { find: /^tenterhook\/open$/, replacement: source("open.ts") },
      { find: /^tenterhook\/stores$/, replacement: source("stores.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    // On real programs, which have to be installed first: vitest.clients.config.ts.
    exclude: ["test/clients/**"],
    setupFiles: ["test/support/own-folders.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    typecheck: { enabled: false },
  },
});
