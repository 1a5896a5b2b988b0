import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { PROGRAM } from "./hook-process.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BARE_WORKER = fileURLToPath(new URL("bare-worker.mjs", import.meta.url));
/** Below the packages, so that it finds them. */
const BUNDLE = join(ROOT, "node_modules/.cache/tenterhook-bench/fleet.mjs");
const PARTS = `
  export { openQueue } from "./src/fleet/queue.ts";
  export { submitRun } from "./src/fleet/submit.ts";
  export { FLEET } from "./src/fleet/schema.ts";
  export { TRANSCRIPTS } from "./src/agent/transcripts/postgres/schema.ts";
  export { databaseAddress } from "./src/node/postgres/address.ts";
  export { openPostgres } from "./src/node/postgres/open-postgres.ts";`;

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
  await build({
    stdin: { contents: PARTS, resolveDir: ROOT },
    ...{ bundle: true, platform: "node", format: "esm", packages: "external", outfile: BUNDLE },
  });
  const { openQueue, submitRun, FLEET, TRANSCRIPTS, databaseAddress, openPostgres } = await import(
    pathToFileURL(BUNDLE).href
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
