// `tenterhook hook` in a process of its own, with a thousand rules that were made by hand.
import { besideEmptyNode, PROGRAM, payloadOf, timed } from "./lib/hook-process.mjs";
import { projectWithRules } from "./lib/project-with-rules.mjs";

/**
 * @param {string} tool_name
 * @param {string} command
 * @param {string} [expected]
 */
async function against(tool_name, command, expected) {
  const { cwd, alone, remove } = await projectWithRules();
  try {
    const payload = () => payloadOf(cwd, tool_name, { command });
    return await besideEmptyNode(() => timed([PROGRAM, "hook"], alone, payload(), expected), alone);
  } finally {
    remove();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "tenterhook hook, 1,000 rules, a plain command",
    against: "node -e 0",
    bound: 2.2,
    measure: () => against("Bash", "npm run build"),
  },
  {
    name: "tenterhook hook, 1,000 rules, a rule denies",
    against: "node -e 0",
    bound: 2.2,
    measure: () => against("Bash", "echo needs-a-parser", "deny"),
  },
  {
    name: "tenterhook hook, 1,000 rules, the line must be parsed",
    against: "node -e 0",
    bound: 2.2,
    measure: () => against("shell_parsed", 'cd app && echo "$HOME" | tee build.log'),
  },
  {
    name: "tenterhook hook, 1,000 rules, the line must be parsed and is denied",
    against: "node -e 0",
    bound: 2.2,
    measure: () => against("shell_parsed", 'cd app && "terraform" destroy | tee build.log', "deny"),
  },
  {
    name: "tenterhook hook, 1,000 rules, a regular expression decides",
    against: "node -e 0",
    bound: 2.2,
    measure: () => against("Bash", "kubectl delete namespace", "deny"),
  },
];
