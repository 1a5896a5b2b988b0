import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { PROGRAM } from "./hook-process.mjs";

/**
 * Starts the daemon and waits until it decides calls.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export async function startDaemon(environment) {
  const daemon = spawn(process.execPath, [PROGRAM, "daemon", "start", "--foreground"], {
    env: environment,
    stdio: "ignore",
  });
  await untilItDecides(environment);
  return {
    async stop() {
      daemon.kill("SIGTERM");
      await once(daemon, "exit");
    },
  };
}

/**
 * Ends the daemon that a call has started, once it decides, so that the next call starts another one at once.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export async function endStartedDaemon(environment) {
  await untilItDecides(environment);
  const folder = folderOf(environment);
  const { pid } = JSON.parse(readFileSync(join(folder, "daemon.json"), "utf8"));
  process.kill(pid, "SIGTERM");
  while (isAlive(pid)) await wait(20);
  // The mark of a start, after which none is started for five seconds.
  rmSync(join(folder, "starting"), { force: true });
}

/** @param {NodeJS.ProcessEnv} environment */
async function untilItDecides(environment) {
  const folder = folderOf(environment);
  while (!existsSync(join(folder, "hook.sock")) || !existsSync(join(folder, "daemon.json"))) await wait(20);
}

/** @param {NodeJS.ProcessEnv} environment */
function folderOf({ XDG_STATE_HOME = "" }) {
  return join(XDG_STATE_HOME, "tenterhook/monitor");
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
