import { projectWithHistory } from "./lib/history.mjs";
import { dashboardPage, openBrowser } from "./lib/opened-page.mjs";
import { inTurns } from "./measure.mjs";

const ROUNDS = 8;

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
        () => much(path, seenOfMuch),
        () => little(path, seenOfLittle),
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

const ROWS = 'table[aria-label="Agents"] tbody tr';
const CALLS = 'ul[aria-label="Calls"] li';
const EMPTY = "main .empty b";

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
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
