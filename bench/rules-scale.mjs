import { cpuRatio } from "./lib/cpu.mjs";
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
    const { ratio, first, second } = cpuRatio(
      () => few.decide(EVENT),
      () => many.decide(EVENT),
    );
    return { ratio, ours: second, theirs: first, unit: "µs" };
  },
};
