import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { ClosingLines } from "./test/support/setup/closing-lines.ts";
import { compiledSources } from "./test/support/setup/compiled-sources.ts";

const sources = await compiledSources();

const PROCESS = "test/**/*.process.test.ts";
const LONG = "test/**/*.long.test.ts";
/** On the real programs of other people: vitest.clients.config.ts. */
const CLIENTS = "test/clients/**";

const DELAYS = process.env.TEST_DELAYS === undefined ? [] : ["test/support/setup/delays.ts"];
const EVERY_FILE = "test/support/setup/every-file.ts";

interface Kind {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly setupFiles?: readonly string[];
  readonly testTimeout?: number;
  readonly provide?: { readonly startsNoProcess: boolean };
  /** How many workers more than there are cores. */
  readonly moreWorkers: number;
  /** Kinds run one after the other, in this order. */
  readonly order: number;
}

/** Tests of one kind; test/README.md says which test is of which. */
function project({
  include,
  exclude = [],
  setupFiles = [EVERY_FILE],
  testTimeout = 300_000,
  moreWorkers,
  order,
  ...test
}: Kind): TestProjectInlineConfiguration {
  return {
    plugins: [sources],
    test: {
      ...test,
      maxWorkers: availableParallelism() + moreWorkers,
      sequence: { groupOrder: order },
      include: [...include],
      exclude: ["**/node_modules/**", ...exclude],
      // A worker loads the modules once for all its files, which takes longer than most of them.
      isolate: false,
      runner: "test/support/setup/runner.ts",
      setupFiles: [...DELAYS, ...setupFiles],
      testTimeout,
      hookTimeout: 300_000,
      // The machine may be busy.
      expect: { poll: { timeout: 45_000 } },
      restoreMocks: true,
      unstubEnvs: true,
    },
  };
}

export default defineConfig({
  test: {
    globalSetup: ["test/support/setup/run-folder.ts"],
    // What GitHub shows next to the code comes first: the closing lines are the last.
    reporters: [
      ...(process.env.GITHUB_ACTIONS === "true" ? ["github-actions"] : []),
      new ClosingLines({
        slowest: Number(process.env.TEST_SLOWEST ?? 0),
        needsEverything: process.env.CI === "true",
      }),
    ],
    // The projects import the same sources: each is transformed once for all of them, and for later runs.
    experimental: { fsModuleCache: true },
    projects: [
      // Each worker more loads and compiles all modules once more; one is enough for when another waits.
      project({
        name: "unit",
        order: 0,
        moreWorkers: 1,
        include: ["test/**/*.test.ts"],
        exclude: [PROCESS, LONG],
        setupFiles: ["test/support/setup/in-memory.ts", EVERY_FILE, "test/support/setup/unit.ts"],
        testTimeout: 60_000,
        provide: { startsNoProcess: true },
      }),
      // They wait for programs about half of their time.
      project({ name: "process", order: 1, moreWorkers: 3, include: [PROCESS] }),
      project({ name: "long", order: 2, moreWorkers: 3, include: [LONG], exclude: [CLIENTS] }),
    ],
  },
});
