// Decides one event in a fresh process and prints the CPU microseconds it took, without those of loading the package:
// `node bench/first-decision.mjs open|compile none|matches`. With `matches`, a rule with a regular expression fits, so
// that one has to be compiled either way, and the engine for it loaded.
import { compileInlineRules, openInlineRules } from "tenterhook/rules";
import { COMMAND, EVENT, inlineDefinition, mixedRules, PORTS } from "./lib/rules-mix.mjs";

const [, , way, fits] = process.argv;
const COUNT = 1_000;
const definition = inlineDefinition(COUNT);
const fitting = mixedRules(COUNT).findLast(
  ({ field, operator }) => field === "command" && operator === "matches",
);
const command = fits === "matches" ? `npm test && ${fitting?.sample}` : COMMAND;
const event = { ...EVENT, tool_input: { command } };

const before = process.cpuUsage();
const open = way === "open" ? openInlineRules : compileInlineRules;
const { decide } = await open(definition, PORTS);
const { action } = await decide(event);
const { user, system } = process.cpuUsage(before);
if (action !== (fits === "matches" ? "deny" : "continue")) throw new Error(`The rules said ${action}.`);
process.stdout.write(String(user + system));
