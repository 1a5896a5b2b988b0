import { cpuPerCall } from "./lib/cpu.mjs";
import { peer } from "./lib/peer.mjs";
import { COMMAND, EVENT, inlineDefinition, mixedRules, PORTS } from "./lib/rules-mix.mjs";
import { builtRules } from "./lib/tenterhook-rules.mjs";

export default {
  name: "rules: 1,000 rules, compared with cel-js",
  bound: 100,
  direction: "at least",
  async run() {
    const { parse } = await peer("@marcbachmann/cel-js");
    const expressions = mixedRules(1_000).map((rule) => parse(celOf(rule)));
    const { compileInlineRules } = await builtRules();
    const rules = await compileInlineRules(inlineDefinition(1_000), PORTS);
    const context = { tool: "Bash", command: COMMAND, path: "" };
    const loop = () => expressions.find((holds) => holds(context));
    const [ours = 0, theirs = 0] = cpuPerCall([() => rules.decide(EVENT), loop]);
    return { ratio: theirs / ours, ours, theirs, unit: "µs" };
  },
};

/**
 * A rule as a CEL expression; CEL has no glob, so a glob becomes a regular expression.
 *
 * @param {import("./lib/rules-mix.mjs").MixedRule} rule
 */
function celOf({ tool, field, operator, value }) {
  const pattern = operator === "glob" ? globSource(value) : value;
  const call = operator === "contains" ? "contains" : "matches";
  return `tool == ${JSON.stringify(tool)} && ${field}.${call}(${JSON.stringify(pattern)})`;
}

/** @param {string} glob */
function globSource(glob) {
  const escaped = glob.replaceAll(/[.+^$()|[\]\\]/g, "\\$&");
  return `^${escaped.replaceAll(/\*+/g, ".*").replaceAll("{", "(").replaceAll("}", ")").replaceAll(",", "|")}$`;
}
