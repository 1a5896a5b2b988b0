import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compileInlineRules } from "tenterhook/rules";
import { COMMAND, EVENT, inlineDefinition, mixedRules, PORTS } from "./lib/rules-mix.mjs";
import { celTests, jsonRulesEngine, naiveTests } from "./lib/rules-peers.mjs";
import { compare, sideBySide } from "./measure.mjs";

const PROCESSES = 9;
const FIRST_DECISION = fileURLToPath(new URL("./first-decision.mjs", import.meta.url));

/**
 * Deciding the event, which none of the rules fits, by so many of them.
 *
 * @param {number} count
 */
async function deciding(count) {
  const { decide } = await compileInlineRules(inlineDefinition(count), PORTS);
  const outcome = decide(EVENT);
  if (outcome instanceof Promise || outcome.action !== "continue") {
    throw new Error(`Expected that no rule fits, at once; got ${JSON.stringify(await outcome)}.`);
  }
  return repeated(() => decide(EVENT));
}

/** @param {() => unknown} run */
function repeated(run) {
  return async (/** @type {number} */ times) => {
    for (let time = 0; time < times; time += 1) run();
  };
}

/**
 * A first decision by rules that are opened, compared with one by rules that are all compiled.
 *
 * @param {"none" | "matches"} fits
 * @returns {Promise<import("./benchmark.mjs").Figures>}
 */
async function firstDecisions(fits) {
  const milliseconds = (/** @type {"open" | "compile"} */ way) =>
    Number(execFileSync(process.execPath, [FIRST_DECISION, way, fits], { encoding: "utf8" })) / 1000;
  const sides = await sideBySide(
    PROCESSES,
    () => milliseconds("open"),
    () => milliseconds("compile"),
  );
  return { ...sides, unit: "ms" };
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "one event, 10,000 rules",
    against: "10 rules",
    bound: 2,
    measure: async () => compare(await deciding(10_000), await deciding(10)),
  },
  {
    name: "one event, 10,000 rules, against a loop",
    against: "a loop over RegExp and picomatch",
    bound: 500,
    atLeast: true,
    peers: ["picomatch"],
    async measure() {
      const tests = await naiveTests(mixedRules(10_000));
      const loop = () => tests.find(({ field, holds }) => field === "command" && holds(COMMAND));
      return compare(await deciding(10_000), repeated(loop));
    },
  },
  {
    name: "one event, 1,000 rules, against cel-js",
    against: "a loop over cel-js",
    bound: 100,
    atLeast: true,
    peers: ["@marcbachmann/cel-js"],
    async measure() {
      const tests = await celTests(mixedRules(1_000));
      const context = { tool: "Bash", command: COMMAND, path: "" };
      return compare(
        await deciding(1_000),
        repeated(() => tests.find((holds) => holds(context))),
      );
    },
  },
  {
    name: "one event, 1,000 rules, against json-rules-engine",
    against: "json-rules-engine",
    bound: 100,
    atLeast: true,
    peers: ["json-rules-engine"],
    async measure() {
      const engine = await jsonRulesEngine(mixedRules(1_000));
      const facts = { tool: "Bash", command: COMMAND, path: "" };
      return compare(await deciding(1_000), async (times) => {
        for (let time = 0; time < times; time += 1) await engine.run(facts);
      });
    },
  },
  {
    // The index is built too. `tenterhook hook` finds it in its cache.
    name: "first decision of a process, 1,000 rules",
    against: "compiling all of them first",
    bound: 0.6,
    measure: () => firstDecisions("none"),
  },
  {
    // Loading the regular expression engine is most of it, and the same on both sides.
    name: "first decision of a process, a regular expression fits",
    against: "compiling all of them first",
    bound: 0.75,
    measure: () => firstDecisions("matches"),
  },
];
