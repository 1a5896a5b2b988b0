import { spawn } from "node:child_process";
import { existsSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { daemonPlace } from "../../monitor/report/daemon-place.ts";
import { makePrivateFolder } from "../../node/files/folders.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { isRunning } from "../../node/identity/process-identity.ts";
import { ownProgram } from "../../node/own-program.ts";
import { isOlderVersion, PACKAGE_VERSION } from "../../node/package-version.ts";
import { withoutCode } from "../../shared/code-variables.ts";

/** What asks the daemon: client.sh. Without it a daemon would decide nothing. */
const CLIENT = "/usr/bin/perl";
/** One that can't start must not be started by every call. */
const PAUSE_MILLISECONDS = 5000;
const MOST_BYTES = 100_000;
/** A daemon that nobody needs for this long ends. The guide on the monitor says so, too. */
const IDLE_SECONDS = 30 * 60;

/** The program of a daemon that nobody has asked for, with the internal option because of which it ends when it is not needed. */
export function passingDaemon(): ReturnType<typeof ownProgram> {
  return ownProgram("daemon", "start", "--foreground", "--until-idle", `${IDLE_SECONDS}`);
}

/**
 * Starts the daemon that decides later calls, unless one runs. Nobody waits for it. What loads code into the agent's programs
 * does not load it into the daemon. Never throws.
 */
export function startDaemon(environment: NodeJS.ProcessEnv): void {
  if (!existsSync(CLIENT)) return;
  const { folder, hookSocket, info } = daemonPlace(environment);
  if (hookSocket === undefined || runs(info) || wasStarted(folder)) return;
  const { file, args } = passingDaemon();
  spawn(file, args, { detached: true, stdio: "ignore", cwd: "/", env: withoutCode(environment) })
    .on("error", () => undefined)
    .unref();
}

/** True when a daemon runs that is no older than this program: two copies must not replace each other's again and again. */
function runs(info: string): boolean {
  const known = parseJson(readOwnFile(info, MOST_BYTES).text ?? "");
  if (!isRecord(known) || typeof known.pid !== "number" || typeof known.version !== "string") return false;
  return isRunning(known.pid) && !isOlderVersion(known.version, PACKAGE_VERSION);
}

/** True when a daemon was started a moment ago. */
function wasStarted(folder: string): boolean {
  const file = join(folder, "starting");
  try {
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && Math.abs(Date.now() - mtimeMs) < PAUSE_MILLISECONDS) return true;
    makePrivateFolder(folder);
    writeFileSync(file, "", { mode: 0o600 });
    utimesSync(file, new Date(), new Date());
    return false;
  } catch {
    // Where nothing can be written, no daemon can run.
    return true;
  }
}
