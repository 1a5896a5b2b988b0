import { createRequire } from "node:module";
import { besideEmptyNode, PROGRAM, payloadOf, project, timed } from "./lib/hook-process.mjs";
import { mixedRules } from "./lib/rules-mix.mjs";

const CALLS = 200;

/** Milliseconds of processor time for a call that our plug-in decides in the agent's process. */
async function inProcess() {
  const rules = mixedRules(1000).map(({ field, operator, value }) => ({
    field,
    operator,
    value,
    action: "deny",
  }));
  const { cwd, environment, remove } = await project([
    { name: "rules", type: "inline", matcher: { events: ["PreToolUse"] }, inline_rules: rules },
  ]);
  try {
    const payload = JSON.stringify({
      ...JSON.parse(payloadOf(cwd, "bash", "npm run build")),
      plugin: "opencode",
      hook_event_name: "tool.execute.before",
    });
    // Fills the cache.
    await timed([PROGRAM, "hook"], environment, payload, "");
    const { decideInProcess } = createRequire(import.meta.url)("../dist/in-process.cjs");
    const decide = async () => {
      if ((await decideInProcess(payload, environment)) !== "") throw new Error("It was not decided here.");
    };
    for (let call = 0; call < CALLS; call += 1) await decide();
    return await besideEmptyNode(async () => {
      const start = process.cpuUsage();
      for (let call = 0; call < CALLS; call += 1) await decide();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000 / CALLS;
    }, environment);
  } finally {
    remove();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "a plug-in's call in the agent's process, 1,000 rules, processor time",
    against: "node -e 0",
    bound: 0.1,
    orAtMost: 5,
    measure: inProcess,
  },
];
