import { defineConfig } from "vitest/config";
import { ALIAS } from "./vitest.config.ts";

/** Tests on the real programs of other people, which are installed into a cache folder first: `npm run test:all -- clients`. */
export default defineConfig({
  resolve: { alias: ALIAS },
  test: {
    include: ["test/clients/**/*.long.test.ts"],
    globalSetup: ["test/clients/support/install-clients.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
