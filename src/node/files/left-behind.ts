import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../system-code.ts";

/** Nobody takes so long to write a file; on another machine a process of the same number may be at it. */
const LONGEST_WRITE_MILLISECONDS = 60_000;

/**
 * Removes what processes that were killed while they wrote a file whole (`writeAtomically`) have left in a folder. Never
 * rejects: what can't be removed harms nobody.
 */
export async function removeLeftBehind(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = Number(/^\.(\d+)-[0-9a-f]{12}\.tmp$/.exec(name)?.[1]);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    const file = join(folder, name);
    const { mtimeMs = now } = (await stat(file).catch(() => undefined)) ?? {};
    if (now - mtimeMs > LONGEST_WRITE_MILLISECONDS) await rm(file, { force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}
