import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { projectWithHistory } from "./lib/history.mjs";
import { PROGRAM } from "./lib/hook-process.mjs";
import { dashboardPage, openBrowser } from "./lib/opened-page.mjs";
import { inTurns } from "./measure.mjs";

const ROUNDS = 8;
const run = promisify(execFile);

/**
 * Views of the dashboard with much to show, each compared with itself with little: the worst of them.
 *
 * @param {readonly [much: number, little: number]} records
 * @param {readonly [much: number, little: number]} agents
 * @param {readonly (readonly [path: string, much: string, little: string])[]} views What is to be seen of each.
 */
async function worst(records, agents, views) {
  const browser = await openBrowser();
  const made = [];
  try {
    for (const at of [0, 1]) made.push(await projectWithHistory(Number(records[at]), Number(agents[at])));
    const opened = [];
    for (const { environment } of made) opened.push(await dashboardPage(browser, environment));
    const [much, little] = opened;
    if (much === undefined || little === undefined) throw new Error("No page was opened.");
    const figures = [];
    for (const [path, seenOfMuch, seenOfLittle] of views) {
      const measured = await inTurns(
        ROUNDS,
        () => much.open(path, seenOfMuch),
        () => little.open(path, seenOfLittle),
      );
      figures.push(measured);
      console.error(
        `  ${path}: ${measured.ratio.toFixed(2)} (${Math.round(measured.ours)} ms, ${Math.round(measured.theirs)} ms)`,
      );
    }
    return figures.reduce((a, b) => (a.ratio > b.ratio ? a : b));
  } finally {
    await browser.close();
    for (const { daemon, remove } of made) {
      await daemon.stop();
      remove();
    }
  }
}

/** How long an agent waits before the page shows it on top, and how long the report of that takes by itself. */
async function onTop() {
  const browser = await openBrowser();
  const made = await projectWithHistory(0, 0);
  const { environment, cwd } = made;
  let count = 0;
  const report = async () => {
    count += 1;
    const began = performance.now();
    await run(
      process.execPath,
      [PROGRAM, "emit", "agent:prompt", "--agent", `waiter-${count}`, "--type", "question"],
      {
        env: environment,
        cwd,
      },
    );
    return performance.now() - began;
  };
  try {
    const { page, open } = await dashboardPage(browser, environment);
    await open("/", EMPTY);
    return await inTurns(
      ROUNDS,
      async () => {
        const began = performance.now();
        const reported = report();
        await page.getByRole("row", { name: new RegExp(`waiter-${count}\\b`) }).waitFor({ timeout: 20_000 });
        const took = performance.now() - began;
        await reported;
        return took;
      },
      report,
    );
  } finally {
    await browser.close();
    await made.daemon.stop();
    made.remove();
  }
}

const ROWS = 'table[aria-label="Agents"] tbody tr';
const CALLS = 'ul[aria-label="Calls"] li';
const EMPTY = "main .empty b";

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "an agent that starts to wait is on top of the dashboard",
    against: "the report of it, as a process of its own",
    bound: 3,
    // A second, whatever a process costs here.
    orAtMost: 1000,
    measure: onTop,
  },
  {
    name: "the dashboard's agents, inbox, session, activity and hooks with 200 agents and 100,000 runs",
    against: "the same views with nothing to show",
    bound: 3,
    measure: () =>
      worst(
        [50_000, 0],
        [200, 0],
        [
          ["/", ROWS, EMPTY],
          ["/inbox", "article", EMPTY],
          ["/sessions/session-1", CALLS, EMPTY],
          ["/activity", 'table[aria-label="By hook"]', EMPTY],
          ["/activity?by=rule&list=all", CALLS, EMPTY],
          ["/hooks", EMPTY, EMPTY],
        ],
      ),
  },
  {
    name: "the dashboard's lists of calls with 1,000,000 of them",
    against: "the same with 10,000",
    bound: 1.5,
    // Filling the store takes two minutes.
    long: true,
    measure: () =>
      worst(
        [1_000_000, 10_000],
        [50, 50],
        [
          ["/activity?list=all", CALLS, CALLS],
          ["/activity?verdict=deny", CALLS, CALLS],
          ["/activity?hook=hook-3&said=ran", CALLS, CALLS],
          ["/activity?by=agent&agent=claude", CALLS, CALLS],
          ["/sessions/session-1", CALLS, CALLS],
        ],
      ),
  },
];
