// Decides one event in a fresh process and prints the CPU time it took, in microseconds. Argument: open or compile.
import { cpuNow } from "./cpu.mjs";
import { EVENT, inlineDefinition, PORTS } from "./rules-mix.mjs";
import { builtRules } from "./tenterhook-rules.mjs";

const { compileInlineRules, openInlineRules } = await builtRules();
const definition = inlineDefinition(Number(process.argv[3] ?? 1_000));
const start = cpuNow();
const rules =
  process.argv[2] === "open"
    ? openInlineRules(definition, PORTS)
    : await compileInlineRules(definition, PORTS);
await rules.decide(EVENT);
console.log(cpuNow() - start);
