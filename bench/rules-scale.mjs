import { cpuPerCall } from "./lib/cpu.mjs";
import { EVENT, inlineDefinition, PORTS } from "./lib/rules-mix.mjs";
import { builtRules } from "./lib/tenterhook-rules.mjs";

export default {
  name: "rules: one event against 10,000 rules, compared with 10 rules",
  bound: 2,
  direction: "at most",
  async run() {
    const { compileInlineRules } = await builtRules();
    const many = await compileInlineRules(inlineDefinition(10_000), PORTS);
    const few = await compileInlineRules(inlineDefinition(10), PORTS);
    const [ours = 0, theirs = 0] = cpuPerCall([() => many.decide(EVENT), () => few.decide(EVENT)]);
    return { ratio: ours / theirs, ours, theirs, unit: "µs" };
  },
};
