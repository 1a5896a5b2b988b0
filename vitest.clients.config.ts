import { defineConfig } from "vitest/config";
import { compiledSources } from "./test/support/setup/compiled-sources.ts";

/** Tests on the real programs of other people, which are installed into a cache folder first: `npm run test:all -- clients`. */
export default defineConfig({
  plugins: [await compiledSources()],
  test: {
    include: ["test/clients/**/*.long.test.ts"],
    globalSetup: ["test/support/setup/run-folder.ts", "test/clients/support/install-clients.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
