import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAM } from "./hook-process.mjs";
import { importSources } from "./sources.mjs";

const BARE_WORKER = fileURLToPath(new URL("bare-worker.mjs", import.meta.url));
const PARTS = {
  openQueue: "fleet/queue.ts",
  submitRun: "fleet/submit.ts",
  FLEET: "fleet/schema.ts",
  TRANSCRIPTS: "agent/transcripts/postgres/schema.ts",
  databaseAddress: "node/postgres/address.ts",
  openPostgres: "node/postgres/open-postgres.ts",
};

/**
 * A fleet in a folder of its own: what `tenterhook fleet submit` does, without a process for each run, and real workers.
 *
 * @param {string} url Of its database.
 */
export async function newFleet(url) {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  const configuration = join(folder, "config/tenterhook");
  mkdirSync(configuration, { recursive: true });
  writeFileSync(join(configuration, "hooks.yaml"), '{ "permissions": { "mode": "bypass" } }');
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
    TENTERHOOK_DATABASE_URL: url,
    OPENAI_COMPATIBLE_API_KEY: "none",
  };
  const { openQueue, submitRun, FLEET, TRANSCRIPTS, databaseAddress, openPostgres } = await importSources(
    "fleet",
    PARTS,
  );
  const address = databaseAddress(url, "url");
  const database = await openPostgres([TRANSCRIPTS, FLEET], { address });
  const queue = await openQueue(address);
  /** @type {Set<import("node:child_process").ChildProcess>} */
  const workers = new Set();
  /** @param {import("node:child_process").ChildProcess} child */
  const started = (child) => {
    workers.add(child);
    return child;
  };
  return {
    folder,
    /** @param {string} name @param {readonly object[]} steps */
    script(name, steps) {
      const file = join(folder, name);
      writeFileSync(file, JSON.stringify(steps));
      return `scripted:${file}`;
    },
    /** @param {string} task @param {string} model @returns {Promise<string>} */
    async submit(task, model) {
      const queued = await submitRun(database, { task, model, cwd: folder });
      await queue.add(queued);
      return queued.run;
    },
    /** @param {readonly string[]} args */
    startWorker: (...args) =>
      started(
        spawn(process.execPath, [PROGRAM, "fleet", "worker", ...args], { cwd: folder, env, stdio: "ignore" }),
      ),
    /** A worker that is nothing but BullMQ's. @param {readonly string[]} args See its file. */
    startBareWorker: (...args) =>
      started(
        spawn(process.execPath, [BARE_WORKER, url, ...args], {
          stdio: ["ignore", "ignore", "inherit", "ipc"],
        }),
      ),
    /** @param {import("node:child_process").ChildProcess} worker */
    async end(worker, signal = /** @type {NodeJS.Signals} */ ("SIGKILL")) {
      workers.delete(worker);
      if (worker.exitCode !== null || worker.signalCode !== null) return;
      const ended = once(worker, "exit");
      worker.kill(signal);
      await ended;
    },
    async close() {
      for (const worker of [...workers]) await this.end(worker);
      await queue.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
