import { cpuNow, cpuPerCall } from "./lib/cpu.mjs";
import { peer } from "./lib/peer.mjs";
import { COMMAND, EVENT, inlineDefinition, mixedRules, PORTS } from "./lib/rules-mix.mjs";
import { builtRules } from "./lib/tenterhook-rules.mjs";

const RUNS = 5;

export default {
  name: "rules: 1,000 rules, compared with json-rules-engine",
  bound: 100,
  direction: "at least",
  async run() {
    const { Engine } = await peer("json-rules-engine");
    const engine = new Engine();
    engine.addOperator("holds", (/** @type {string} */ text, /** @type {RegExp} */ regex) =>
      regex.test(text),
    );
    for (const { tool, field, operator, value } of mixedRules(1_000)) {
      const source = operator === "matches" ? value : value.replaceAll(/[.+^$()|[\]\\{}*]/g, "\\$&");
      const conditions = {
        all: [
          { fact: "tool", operator: "equal", value: tool },
          { fact: field, operator: "holds", value: new RegExp(source) },
        ],
      };
      engine.addRule({ conditions, event: { type: "deny" } });
    }
    const { compileInlineRules } = await builtRules();
    const rules = await compileInlineRules(inlineDefinition(1_000), PORTS);
    const facts = { tool: "Bash", command: COMMAND, path: "" };
    await engine.run(facts);
    const start = cpuNow();
    for (let run = 0; run < RUNS; run += 1) await engine.run(facts);
    const theirs = (cpuNow() - start) / RUNS;
    const [ours = 0] = cpuPerCall([() => rules.decide(EVENT)]);
    return { ratio: theirs / ours, ours, theirs, unit: "µs" };
  },
};
