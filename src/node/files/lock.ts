import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { builtin } from "../builtin.ts";
import { procStat } from "../process/identity/proc-stat.ts";
import { isRunning } from "../process/signals.ts";
import { systemCode } from "../system-code.ts";

/** When a lock of another machine, or an unreadable one, counts as abandoned. */
const LOST_MILLISECONDS = 60_000;
const WAIT_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS = 15;

/**
 * Takes a lock file; returns `undefined` when another process holds it. Takes over the lock of a process that has
 * ended.
 *
 * @returns the function that releases it.
 * @throws the file system's error when the file can't be created.
 */
export function tryLock(file: string): (() => void) | undefined {
  const random = builtin.crypto.randomBytes(6).toString("hex");
  const mark = `${process.pid} ${builtin.os.hostname()} ${random} ${procStat(process.pid)?.started ?? ""}`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      writeFileSync(file, mark, { flag: "wx", mode: 0o600 });
      return () => {
        if (holder(file) === mark) rmSync(file, { force: true });
      };
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
    }
    if (!removeLost(file)) return undefined;
  }
  return undefined;
}

/**
 * Runs `work` while holding a lock file; waits for the lock up to ten seconds.
 *
 * @throws Error when another process does not release the lock in time; what `work` throws.
 */
export async function withLock<Result>(
  file: string,
  work: () => Result | Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const latest = performance.now() + WAIT_MILLISECONDS;
  for (;;) {
    const release = tryLock(file);
    if (release !== undefined) {
      try {
        return await work();
      } finally {
        release();
      }
    }
    if (performance.now() > latest)
      throw new Error(`Another process holds ${file}. Remove it when none is running.`);
    await after(PAUSE_MILLISECONDS, undefined, signal === undefined ? {} : { signal });
  }
}

/** Removes an abandoned lock. Returns false when it is held. */
function removeLost(file: string): boolean {
  const seen = holder(file);
  if (seen === undefined) return true;
  if (!isLost(file, seen)) return false;
  // Another process may have taken the lock meanwhile; then it is put back.
  const aside = `${file}.${builtin.crypto.randomBytes(6).toString("hex")}`;
  try {
    renameSync(file, aside);
    if (holder(aside) !== seen) linkSync(aside, file);
  } catch {
    return false;
  } finally {
    rmSync(aside, { force: true });
  }
  return true;
}

function isLost(file: string, mark: string): boolean {
  const [pid, host, , started] = mark.split(" ");
  if (host === builtin.os.hostname() && Number(pid) > 0)
    return !isRunning(Number(pid)) || isLater(Number(pid), started);
  const status = statSync(file, { throwIfNoEntry: false });
  return status === undefined || Date.now() - status.mtimeMs > LOST_MILLISECONDS;
}

/** True when the process with this id is not the one that was started then. */
function isLater(pid: number, started: string | undefined): boolean {
  const present = procStat(pid)?.started;
  return Boolean(started) && present !== undefined && present !== started;
}

function holder(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
