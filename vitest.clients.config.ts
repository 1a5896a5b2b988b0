import { defineConfig } from "vitest/config";

/** Tests on the real programs of other people, which are installed into a cache folder first: `npm run test:clients`. */
export default defineConfig({
  test: {
    include: ["test/clients/**/*.test.ts"],
    globalSetup: ["test/clients/support/install-clients.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
