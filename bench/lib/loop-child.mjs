// One loop in a process of its own, as the loop benchmark measures it: `node loop-child.mjs <ours|bare|kept|pi>`.
// Runs of 200 tool calls with no hook, then one, then ten before and ten after each call; of each kind ten to warm up
// and seven that count. Writes the CPU nanoseconds of a call with ten: the median. A loop is loaded alone, since what else
// is in memory costs the collector's time.
import { mkdtempSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CALLS = 200;
const KINDS = [0, 1, 10];
const WARM_UPS = 10;
const RUNS = 7;

/** @typedef {Parameters<typeof import("./loop-ours.mjs").ourLoop>[0]} Options */

/** @type {Readonly<Record<string, (options: Options) => Promise<() => Promise<number>>>>} */
const LOOPS = {
  ours: async (options) => {
    const { ourLoop } = await import("./loop-ours.mjs");
    return ourLoop(options);
  },
  bare: async (options) => {
    const { generatedStream, ourLoop } = await import("./loop-ours.mjs");
    return ourLoop({ ...options, streamOf: generatedStream });
  },
  kept: async (options) => {
    const { generatedStream, ourLoop } = await import("./loop-ours.mjs");
    return ourLoop({ ...options, streamOf: generatedStream, options: { store: await keptInFiles() } });
  },
  pi: async (options) => {
    const { piLoop } = await import("./loop-pi.mjs");
    /** @type {import("./loop-pi.mjs").Pi} */
    const pi = await import(new URL("../peers/pi.mjs", import.meta.url).href);
    return piLoop(pi, options);
  },
};

const make = LOOPS[process.argv[2] ?? ""];
if (make === undefined) throw new Error(`Which loop? One of ${Object.keys(LOOPS).join(", ")}.`);
let last = Number.NaN;
for (const hooks of KINDS) last = await measured(make, hooks);
writeSync(1, String(last));
process.exit(0);

/** Every message is written before the next step; the time of fsync is left out. */
async function keptInFiles() {
  const { jsonlStore } = await import("tenterhook/stores");
  const dir = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  return jsonlStore({ dir, durability: "process" });
}

/**
 * @param {(options: Options) => Promise<() => Promise<number>>} loop
 * @param {number} hooks
 */
async function measured(loop, hooks) {
  let hooked = 0;
  const hook = () => {
    hooked += 1;
  };
  const run = await loop({ n: CALLS, hooks, mark: () => {}, hook });
  for (let round = 0; round < WARM_UPS; round += 1) await run();
  const costs = [];
  for (let round = 0; round < RUNS; round += 1) {
    hooked = 0;
    const before = process.cpuUsage();
    const calls = await run();
    const { user, system } = process.cpuUsage(before);
    // A loop that leaves some out is not faster.
    if (calls !== CALLS || hooked !== 2 * hooks * CALLS)
      throw new Error(
        `Expected ${CALLS} calls and ${2 * hooks * CALLS} hook runs, got ${calls} and ${hooked}.`,
      );
    costs.push(((user + system) * 1000) / CALLS);
  }
  return costs.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
}
