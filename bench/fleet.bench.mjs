import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { postgresStore } from "tenterhook/stores";
import { PROGRAM } from "./lib/hook-process.mjs";
import { withPostgres } from "./lib/postgres.mjs";
import { sideBySide } from "./measure.mjs";

const LEASE_SECONDS = 3;
const TAKEOVERS = 5;
const STEPS = 200;
const FEW = 10;
const MANY = 10_000;
/** Entries of each run that is in the tables. */
const ENTRIES = 40;

/**
 * How long it takes from the death of a worker until another one has its run.
 *
 * @returns {Promise<import("./benchmark.mjs").Figures>}
 */
function takeover() {
  return withPostgres(async (url, database) => {
    const folder = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
    const configuration = join(folder, "config/tenterhook");
    mkdirSync(configuration, { recursive: true });
    writeFileSync(join(configuration, "hooks.yaml"), '{ "permissions": { "mode": "bypass" } }');
    const script = join(folder, "script.json");
    writeFileSync(script, '[{ "delay_ms": 600000, "text": "Over." }]');
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, "config"),
      XDG_STATE_HOME: join(folder, "state"),
      XDG_CACHE_HOME: join(folder, "cache"),
      TENTERHOOK_DATABASE_URL: url,
    };
    /** @param {readonly string[]} args */
    const fleet = (...args) =>
      spawn(process.execPath, [PROGRAM, "fleet", ...args], { cwd: folder, env, stdio: "ignore" });
    const startWorker = () => fleet("worker", "--lease", `${LEASE_SECONDS}s`);
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
    await once(fleet("submit", "Wait.", "--model", `scripted:${script}`), "exit");
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
      for (const one of workers) {
        const ended = once(one, "exit");
        one.kill("SIGKILL");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** What a step costs beside many runs that ended. */
function stepBesideMany() {
  return withPostgres(async (url, database) => {
    const store = postgresStore({ url });
    let number = 0;
    const steps = async () => {
      const begun = performance.now();
      for (let step = 0; step < STEPS; step += 1) {
        number += 1;
        const message = { id: `m-${number}`, role: "user", parts: [{ type: "text", text: "One step." }] };
        const owner = { session_id: "measured", agent_id: "measured" };
        await store.append({ ...message, turn_id: "t", created_at: "2026-01-02T03:04:05.678Z" }, owner);
      }
      return (performance.now() - begun) / STEPS;
    };
    /** @param {number} from @param {number} to */
    const fill = async (from, to) => {
      await database.query(
        `INSERT INTO tenterhook.transcripts SELECT 'r' || n, 'r' || n, NULL, 'complete', '/', '', '2026', '2026', '{}', $3
         FROM generate_series($1::int, $2::int) n`,
        [from, to, ENTRIES],
      );
      await database.query(
        `INSERT INTO tenterhook.transcript_entries SELECT 'r' || n, s, 'm' || s, repeat('x', 300)
         FROM generate_series($1::int, $2::int) n, generate_series(1, $3::int) s`,
        [from, to, ENTRIES],
      );
      await database.query("VACUUM ANALYZE");
    };
    try {
      await steps();
      await fill(1, FEW);
      const few = await sideBySide(3, steps, steps);
      await fill(FEW + 1, MANY);
      const many = await sideBySide(3, steps, steps);
      const [ours, theirs] = [many.ours, few.ours];
      return { ours, theirs, ratio: ours / theirs, unit: /** @type {const} */ ("ms") };
    } finally {
      await store.close?.();
    }
  });
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
];
