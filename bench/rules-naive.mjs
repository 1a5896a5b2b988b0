import { cpuPerCall } from "./lib/cpu.mjs";
import { peer } from "./lib/peer.mjs";
import { COMMAND, EVENT, inlineDefinition, mixedRules, PORTS } from "./lib/rules-mix.mjs";
import { builtRules } from "./lib/tenterhook-rules.mjs";

export default {
  name: "rules: 10,000 rules, compared with a loop over RegExp and picomatch",
  bound: 500,
  direction: "at least",
  async run() {
    const { default: picomatch } = await peer("picomatch");
    const tests = mixedRules(10_000).map((rule) => naive(rule, picomatch));
    const { compileInlineRules } = await builtRules();
    const rules = await compileInlineRules(inlineDefinition(10_000), PORTS);
    const loop = () => tests.find(({ field, holds }) => field === "command" && holds(COMMAND));
    const [ours = 0, theirs = 0] = cpuPerCall([() => rules.decide(EVENT), loop]);
    return { ratio: theirs / ours, ours, theirs, unit: "µs" };
  },
};

/**
 * @param {import("./lib/rules-mix.mjs").MixedRule} rule
 * @param {(pattern: string, options: object) => (text: string) => boolean} picomatch
 */
function naive({ field, operator, value }, picomatch) {
  const regex = operator === "matches" ? new RegExp(value) : undefined;
  const glob = operator === "glob" ? picomatch(value, { bash: field === "command", dot: true }) : undefined;
  const holds = (/** @type {string} */ text) => regex?.test(text) ?? glob?.(text) ?? text.includes(value);
  return { field, holds };
}
