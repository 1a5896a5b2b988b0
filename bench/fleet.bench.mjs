import { setTimeout as wait } from "node:timers/promises";
import { postgresStore } from "tenterhook/stores";
import { newFleet } from "./lib/fleet.mjs";
import { queuedRuns, submitToFirstStep } from "./lib/fleet-load.mjs";
import { withPostgres } from "./lib/postgres.mjs";
import { sideBySide } from "./measure.mjs";

const LEASE_SECONDS = 3;
const TAKEOVERS = 5;
const STEPS = 200;
const ROUNDS = 9;
const FEW = 10;
const MANY = 10_000;
/** Entries of each run that is in the tables. */
const ENTRIES = 40;
const [QUEUED_RUNS, STEPS_OF_A_RUN] = [100, 20];
/** So much later than a bare job a run may begin. */
const LATER_MILLISECONDS = 20;

/**
 * How long it takes from the death of a worker until another one has its run.
 *
 * @returns {Promise<import("./benchmark.mjs").Figures>}
 */
function takeover() {
  return withPostgres(async (url, database) => {
    const fleet = await newFleet(url);
    const startWorker = () => fleet.startWorker("--lease", `${LEASE_SECONDS}s`);
    /** @param {number} attempt */
    const worker = async (attempt) => {
      for (;;) {
        const { rows } = await database.query(
          "SELECT worker FROM tenterhook.run_attempts WHERE number = $1",
          [attempt],
        );
        if (rows[0] !== undefined) return Number(String(rows[0].worker).split("-").at(-2));
        await wait(5);
      }
    };
    await fleet.submit("Wait.", fleet.script("script.json", [{ delay_ms: 600_000, text: "Over." }]));
    const workers = [startWorker(), startWorker()];
    try {
      const times = [];
      for (let attempt = 1; attempt <= TAKEOVERS; attempt += 1) {
        const pid = await worker(attempt);
        // At any moment between two signs of life.
        await wait((LEASE_SECONDS * 1000 * attempt) / TAKEOVERS);
        const victim = workers.findIndex((one) => one.pid === pid);
        const begun = performance.now();
        workers[victim]?.kill("SIGKILL");
        await worker(attempt + 1);
        times.push(performance.now() - begun);
        workers[victim] = startWorker();
        // It got no further on purpose.
        await database.query("UPDATE tenterhook.runs SET tries = 0");
      }
      const longest = Math.max(...times);
      const lease = LEASE_SECONDS * 1000;
      return { ours: longest, theirs: lease, ratio: longest / lease, unit: "ms" };
    } finally {
      await fleet.close();
    }
  });
}

/** What a step costs beside many runs that ended, and beside few: two servers, in turns. */
function stepBesideMany() {
  return withStepsBeside(MANY, (many) =>
    withStepsBeside(FEW, async (few) => {
      for (const steps of [many, few]) await steps();
      return { ...(await sideBySide(ROUNDS, many, few)), unit: /** @type {const} */ ("ms") };
    }),
  );
}

/**
 * @template Result
 * @param {number} runs In the tables.
 * @param {(steps: () => Promise<number>) => Promise<Result>} measure Gets what stores steps, and resolves to the milliseconds of one.
 */
function withStepsBeside(runs, measure) {
  return withPostgres(async (url, database) => {
    const store = postgresStore({ url });
    const owner = { session_id: "measured", agent_id: "measured" };
    let number = 0;
    const steps = async () => {
      const begun = performance.now();
      for (let step = 0; step < STEPS; step += 1) {
        number += 1;
        const message = { id: `m-${number}`, role: "user", parts: [{ type: "text", text: "One step." }] };
        await store.append({ ...message, turn_id: "t", created_at: "2026-01-02T03:04:05.678Z" }, owner);
      }
      return (performance.now() - begun) / STEPS;
    };
    try {
      await steps();
      await database.query(
        `INSERT INTO tenterhook.transcripts SELECT 'r' || n, 'r' || n, NULL, 'complete', '/', '', '2026', '2026', '{}', $2
         FROM generate_series(1, $1::int) n`,
        [runs, ENTRIES],
      );
      await database.query(
        `INSERT INTO tenterhook.transcript_entries SELECT 'r' || n, s, 'm' || s, repeat('x', 300)
         FROM generate_series(1, $1::int) n, generate_series(1, $2::int) s`,
        [runs, ENTRIES],
      );
      await database.query("VACUUM ANALYZE");
      await database.query("CHECKPOINT");
      return await measure(steps);
    } finally {
      await store.close?.();
    }
  });
}

async function laterThanBare() {
  const { ours, theirs } = await submitToFirstStep();
  const later = ours - theirs;
  return {
    ours: later,
    theirs: LATER_MILLISECONDS,
    ratio: later / LATER_MILLISECONDS,
    unit: /** @type {const} */ ("ms"),
  };
}

/** @type {readonly import("./benchmark.mjs").Benchmark[]} */
export default [
  {
    name: "another worker goes on after kill -9, the longest of five times",
    against: `the lease, ${LEASE_SECONDS} s`,
    bound: 1.5,
    long: true,
    measure: takeover,
  },
  {
    name: "storing a step with 10,000 runs in the tables",
    against: "the same with 10",
    bound: 1.3,
    long: true,
    measure: stepBesideMany,
  },
  {
    name: "from submit until the model is asked, p95, longer than from add to processor of a bare BullMQ job",
    against: `${LATER_MILLISECONDS} ms`,
    bound: 1,
    long: true,
    measure: laterThanBare,
  },
  {
    name: `${QUEUED_RUNS} queued runs of ${STEPS_OF_A_RUN} steps on two workers, none lost`,
    against: "bare BullMQ jobs on two workers that store the same rows",
    bound: 2,
    long: true,
    measure: () => queuedRuns(QUEUED_RUNS, STEPS_OF_A_RUN),
  },
];
