import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { jsonlStore } from "tenterhook/stores";
import { bareStream, ourLoop } from "./lib/loop-ours.mjs";
import { piLoop } from "./lib/loop-pi.mjs";
import { compare } from "./measure.mjs";

const CALLS = 200;
const LONG = 1000;
const RUNS = 5;

/**
 * Runs of so many tool calls each, whose calls and hooks are counted: a loop that leaves some out is not faster.
 *
 * @param {(options: Parameters<typeof ourLoop>[0]) => () => Promise<number>} make
 */
function counted(make) {
  let hooked = 0;
  const hook = () => {
    hooked += 1;
  };
  const run = make({ n: CALLS, hooks: 10, mark: () => {}, hook });
  return async (/** @type {number} */ times) => {
    for (let time = 0; time < times; time += 1) {
      hooked = 0;
      const calls = await run();
      if (calls !== CALLS || hooked !== 20 * CALLS)
        throw new Error(`Expected ${CALLS} calls and ${20 * CALLS} hook runs, got ${calls} and ${hooked}.`);
    }
  };
}

/**
 * CPU nanoseconds of the rounds around one round of a long run: the median of twenty in each of several runs.
 *
 * @param {readonly Float64Array[]} runs When the tool was called, in CPU time.
 * @param {number} at
 */
function around(runs, at) {
  return median(
    runs.map((stamps) => {
      const costs = [];
      for (let round = at - 10; round < at + 10; round += 1)
        costs.push((stamps[round + 1] ?? 0) - (stamps[round] ?? 0));
      return median(costs);
    }),
  );
}

/** @param {readonly number[]} samples */
function median(samples) {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

/** @param {(options: Parameters<typeof ourLoop>[0]) => () => Promise<number>} make */
async function againstPi(make) {
  /** @type {import("./lib/loop-pi.mjs").Pi} */
  const pi = await import(new URL("peers/pi.mjs", import.meta.url).href);
  return compare(
    counted(make),
    counted((options) => piLoop(pi, options)),
  );
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: `${CALLS} tool calls of an agent with 10 hooks before and 10 after each`,
    against: "pi-agent-core with the same hooks",
    bound: 0.2,
    peers: ["@earendil-works/pi-agent-core"],
    measure: () => againstPi(ourLoop),
  },
  {
    name: `${CALLS} tool calls of an agent, hooked so, without the platform's stream`,
    against: "pi-agent-core with the same hooks",
    bound: 0.2,
    peers: ["@earendil-works/pi-agent-core"],
    measure: () => againstPi((options) => ourLoop({ ...options, streamOf: bareStream })),
  },
  {
    name: `round 985 of ${LONG.toLocaleString("en")} tool calls of an agent`,
    against: "round 10 of the same run",
    bound: 1.5,
    measure: () => growth({}),
  },
  {
    name: `round 985 of ${LONG.toLocaleString("en")} tool calls of an agent whose messages are kept in files`,
    against: "round 10 of the same run",
    bound: 1.5,
    measure: () => inFolder((dir) => growth({ store: jsonlStore({ dir, durability: "process" }) })),
  },
  {
    name: `memory an agent holds after ${LONG.toLocaleString("en")} tool calls, whose messages are kept in files`,
    against: "the JSON of its transcript",
    bound: 2,
    measure: () => inFolder((dir) => memory({ store: jsonlStore({ dir, durability: "process" }) })),
  },
];

/**
 * @template Result
 * @param {(dir: string) => Promise<Result>} work
 */
async function inFolder(work) {
  const dir = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * @param {Partial<import("tenterhook/agent").AgentOptions>} options
 * @returns {Promise<import("./benchmark.mjs").Figures>}
 */
async function growth(options) {
  /** @type {Float64Array[]} */
  const runs = [];
  let stamps = new Float64Array(LONG);
  let call = 0;
  const mark = () => {
    const { user, system } = process.cpuUsage();
    stamps[call] = (user + system) * 1000;
    call += 1;
  };
  const run = ourLoop({ n: LONG, hooks: 0, mark, hook: () => {}, options });
  // The first runs warm up.
  for (let round = 0; round < RUNS + 2; round += 1) {
    stamps = new Float64Array(LONG);
    call = 0;
    await run();
    if (round >= 2) runs.push(stamps);
  }
  const ours = around(runs, 985);
  const theirs = around(runs, 10);
  return { ours, theirs, ratio: ours / theirs, unit: "ns" };
}

/**
 * What is not freed as long as the agent lives, with results as long as those of real tools.
 *
 * @param {Partial<import("tenterhook/agent").AgentOptions>} options
 * @returns {Promise<import("./benchmark.mjs").Figures>}
 */
async function memory(options) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const held = () => {
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  };
  /** @type {import("tenterhook/agent").Agent[]} */
  const agents = [];
  const done = (/** @type {import("tenterhook/agent").Agent} */ made) => {
    agents.push(made);
  };
  const common = { hooks: 0, mark: () => {}, hook: () => {}, options, done };
  // What is compiled and loaded by the first run is no part of it.
  await ourLoop({ ...common, n: LONG })();
  agents.length = 0;
  const before = held();
  await ourLoop({ ...common, n: LONG, result: "0123456789".repeat(100) })();
  const ours = held() - before;
  const theirs = JSON.stringify(agents[0]?.transcript()).length;
  return { ours, theirs, ratio: ours / theirs, unit: "bytes" };
}
