import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { jsonlStore } from "tenterhook/stores";
import { ourLoop } from "./lib/loop-ours.mjs";
import { sideBySide } from "./measure.mjs";

const CHILD = fileURLToPath(new URL("lib/loop-child.mjs", import.meta.url));
const ROUNDS = 7;
const LONG = 1000;
const RUNS = 5;

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

/**
 * Each loop in a process of its own, in turns.
 *
 * @param {"ours" | "bare" | "kept"} loop
 * @returns {Promise<import("./benchmark.mjs").Figures>}
 */
async function againstPi(loop) {
  const cost = (/** @type {string} */ name) =>
    Number(execFileSync(process.execPath, [CHILD, name], { encoding: "utf8" }));
  const sides = await sideBySide(
    ROUNDS,
    () => cost(loop),
    () => cost("pi"),
  );
  return { ...sides, unit: "ns" };
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "a tool call of an agent with 10 hooks before and 10 after",
    against: "pi-agent-core with the same hooks",
    bound: 1.4,
    peers: ["@earendil-works/pi-agent-core"],
    measure: () => againstPi("bare"),
  },
  {
    name: "a tool call of an agent with 10 hooks before and 10 after, whose model answers with a ReadableStream",
    against: "pi-agent-core with the same hooks",
    bound: 1.4,
    peers: ["@earendil-works/pi-agent-core"],
    measure: () => againstPi("ours"),
  },
  {
    name: "a tool call of an agent with 10 hooks before and 10 after, whose messages are kept in files",
    against: "pi-agent-core with the same hooks, which keeps nothing",
    bound: 2,
    peers: ["@earendil-works/pi-agent-core"],
    measure: () => againstPi("kept"),
  },
  {
    name: `round 985 of ${LONG.toLocaleString("en")} tool calls of an agent`,
    against: "round 10 of the same run",
    bound: 1.5,
    measure: () => growth({}),
  },
  {
    name: `round 985 of ${LONG.toLocaleString("en")} tool calls of an agent whose model reports no usage`,
    against: "round 10 of the same run",
    bound: 1.5,
    measure: () => growth({}, false),
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
 * @param {boolean} counts Whether the model reports its usage.
 * @returns {Promise<import("./benchmark.mjs").Figures>}
 */
async function growth(options, counts = true) {
  /** @type {Float64Array[]} */
  const runs = [];
  let stamps = new Float64Array(LONG);
  let call = 0;
  const mark = () => {
    const { user, system } = process.cpuUsage();
    stamps[call] = (user + system) * 1000;
    call += 1;
  };
  const run = ourLoop({ n: LONG, hooks: 0, mark, hook: () => {}, options, counts });
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
