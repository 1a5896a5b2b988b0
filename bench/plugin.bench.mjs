import { createRequire } from "node:module";
import { besideEmptyNode, PROGRAM, payloadOf, timed } from "./lib/hook-process.mjs";
import { projectWithRules } from "./lib/project-with-rules.mjs";

const CALLS = 200;

/** Milliseconds of processor time for a call that our plug-in decides in the agent's process. */
async function inProcess() {
  const { cwd, environment, remove } = await projectWithRules();
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
