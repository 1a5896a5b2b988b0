import { projectWithHistory } from "./lib/history.mjs";
import { PROGRAM, timed } from "./lib/hook-process.mjs";
import { inTurns } from "./measure.mjs";

const [MANY, FEW] = [1_000_000, 10_000];
const ROUNDS = 8;

/** Commands with a long history, each compared with itself with a short one: the worst of them. */
async function worst() {
  const made = [];
  try {
    for (const records of [MANY, FEW]) made.push(await projectWithHistory(records));
    const figures = [];
    for (const command of ["status", "decisions", "log -n 50", "stats", "list"]) {
      const [many, few] = made.map(
        ({ environment, cwd }) =>
          () =>
            timed([PROGRAM, ...command.split(" "), "--json"], environment, "", "{", cwd),
      );
      const measured = await inTurns(
        ROUNDS,
        /** @type {() => Promise<number>} */ (many),
        /** @type {() => Promise<number>} */ (few),
      );
      figures.push(measured);
      console.error(`  ${command}: ${measured.ratio.toFixed(2)}`);
    }
    return figures.reduce((a, b) => (a.ratio > b.ratio ? a : b));
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
    name: "tenterhook agents, decisions, log -n 50, stats and list with 1,000,000 records",
    against: "the same with 10,000",
    bound: 1.5,
    long: true,
    measure: worst,
  },
];
