import { setTimeout as wait } from "node:timers/promises";
import { project } from "./lib/hook-process.mjs";
import { joinMachines, serveTeam } from "./lib/team-monitor.mjs";
import { inTurns } from "./measure.mjs";

const [SECONDS, EVENTS_A_SECOND, TICK_MILLISECONDS] = [3, 100, 50];
const AGENTS_OF_A_MACHINE = 10;

/**
 * A team's monitor with agents that report, each known already.
 *
 * @param {number} agents
 */
async function monitorOf(agents) {
  const { environment, remove } = await project([]);
  const reporters = await joinMachines(environment, Math.ceil(agents / AGENTS_OF_A_MACHINE));
  const monitor = await serveTeam(environment);
  let next = 0;
  const report = async () => {
    const reporter = reporters[next % reporters.length];
    const agent = `agent-${Math.floor(next / reporters.length) % AGENTS_OF_A_MACHINE}`;
    next += 1;
    const start = performance.now();
    if (reporter !== undefined) await monitor.report(reporter, agent);
    return performance.now() - start;
  };
  for (let known = 0; known < agents; known += 1) await report();
  return {
    /** The 95th percentile of how long a machine waits until an event is stored, at a hundred a second. */
    async underLoad() {
      const waits = [];
      const begin = performance.now();
      const ticks = (SECONDS * 1000) / TICK_MILLISECONDS;
      for (let tick = 0; tick < ticks; tick += 1) {
        for (let one = 0; one < (EVENTS_A_SECOND * TICK_MILLISECONDS) / 1000; one += 1) waits.push(report());
        await wait(Math.max(0, begin + (tick + 1) * TICK_MILLISECONDS - performance.now()));
      }
      const sorted = (await Promise.all(waits)).sort((one, other) => one - other);
      return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
    },
    async stop() {
      await monitor.stop();
      remove();
    },
  };
}

async function manyAgainstFew() {
  const [many, few] = [await monitorOf(1000), await monitorOf(10)];
  try {
    return await inTurns(6, many.underLoad, few.underLoad);
  } finally {
    await many.stop();
    await few.stop();
  }
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "an event of one of 1,000 agents reaches the team's monitor at 100 events a second, p95",
    against: "the same of 10 agents",
    bound: 2,
    measure: manyAgainstFew,
  },
];
