import { startDaemon } from "./lib/daemon.mjs";
import { besideEmptyNode, PROGRAM, payloadOf, project, timed } from "./lib/hook-process.mjs";
import { fillStore } from "./lib/monitor-store.mjs";
import { projectWithRules } from "./lib/project-with-rules.mjs";
import { inTurns } from "./measure.mjs";

/** `tenterhook hook` as an agent calls it, while the daemon runs. */
async function hookWithDaemon() {
  const { cwd, environment, remove } = await projectWithRules();
  const payload = () => payloadOf(cwd, "Bash", { command: "npm run build" });
  const daemon = await startDaemon(environment);
  try {
    return await besideEmptyNode(() => timed([PROGRAM, "hook"], environment, payload()), environment);
  } finally {
    await daemon.stop();
    remove();
  }
}

/** `tenterhook agents` of many agents, compared with that of a few. */
async function statusOfMany() {
  const made = [];
  try {
    for (const [agents, events] of [
      [1000, 1_000_000],
      [10, 100],
    ]) {
      const one = await project([]);
      await fillStore(one.environment, Number(agents), Number(events));
      made.push({ ...one, agents, daemon: await startDaemon(one.environment) });
    }
    const [many, few] = made.map(
      ({ environment, agents }) =>
        () =>
          timed([PROGRAM, "status", "--json"], environment, "", `"agent-${Number(agents) - 1}"`),
    );
    return await inTurns(
      8,
      /** @type {() => Promise<number>} */ (many),
      /** @type {() => Promise<number>} */ (few),
    );
  } finally {
    for (const { daemon, remove } of made) {
      await daemon.stop();
      remove();
    }
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "tenterhook hook with the daemon, 1,000 rules",
    against: "node -e 0",
    bound: 0.6,
    measure: hookWithDaemon,
  },
  {
    name: "tenterhook agents of 1,000 agents with a million events",
    against: "the same of 10 agents",
    bound: 2,
    measure: statusOfMany,
  },
];
