import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { errorMessage } from "../../core/base/error-text.ts";
import { pathsOf } from "../../core/match/tool-inputs.ts";
import type { Lock, LockedCall } from "../../core/ports.ts";
import { nodePaths } from "../ports.ts";
import { stateFolder } from "../user-folders.ts";
import { type Claim, claimedBy, claimFile } from "./claim-file.ts";
import { makeFolders, tidy } from "./folders.ts";

const KEPT = { milliseconds: 24 * 60 * 60 * 1000, bytes: Number.POSITIVE_INFINITY };
const PAUSE_MILLISECONDS = 15;

/**
 * The file that stands for a lock which all processes of this user share.
 *
 * @throws the file system's error.
 */
export function lockFile(key: string, environment?: NodeJS.ProcessEnv): string {
  const folder = join(stateFolder(environment), "locks");
  makeFolders(folder);
  tidy(folder, KEPT);
  return join(folder, createHash("sha256").update(key).digest("hex").slice(0, 32));
}

/**
 * Locks between all agents of this user, in whichever process. They are taken in one order, so that two calls never wait for each
 * other. One whose process has ended is free.
 */
export const userLocks: Lock = async (hooks, call, signal) => {
  const wanted = hooks
    .flatMap((hook) => keysOf(hook.locks, call).map((key) => ({ key, hook })))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .filter(({ key }, at, all) => all[at - 1]?.key !== key);
  const who = `${call.agent_id ?? call.session_id} (${call.tool_name})`;
  const held: Claim[] = [];
  const release = (): void => {
    for (const claim of held.splice(0)) claim.release();
  };
  for (const { key, hook } of wanted) {
    try {
      const claim = await claimInTime(lockFile(`hook ${key}`), hook.timeout * 1000, signal);
      held.push(claim);
      claim.write(who);
    } catch (error) {
      release();
      signal.throwIfAborted();
      return `Hook ${JSON.stringify(hook.name)} lets one call at a time work with the ${key}. ${errorMessage(error)}`;
    }
  }
  return release;
};

function keysOf(locks: string | undefined, call: LockedCall): readonly string[] {
  if (locks !== "file") return [`name ${JSON.stringify(locks)}`];
  // All names of a file: another call may know it by one of them only.
  const files = pathsOf(call).flatMap((path) => nodePaths.spellings(path, call.cwd));
  return files.map((file) => `file ${file}`);
}

/** @throws Error that says who holds the lock; the reason of the signal; the file system's error. */
async function claimInTime(file: string, milliseconds: number, signal: AbortSignal): Promise<Claim> {
  const latest = performance.now() + milliseconds;
  for (;;) {
    const claim = claimFile(file, ({ holder }) => holder === "gone");
    if (claim !== undefined) return claim;
    if (performance.now() > latest)
      throw new Error(`${claimedBy(file)?.text ?? "Another agent"} holds it. Try again later.`);
    await after(PAUSE_MILLISECONDS, undefined, { signal });
  }
}
