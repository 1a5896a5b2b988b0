import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAtomically } from "../../node/files/atomic-write.ts";
import { tidy } from "../../node/files/folders.ts";
import { readOwnFile } from "../../node/files/own-file.ts";
import { isRunning } from "../../node/identity/process-identity.ts";
import { systemCode } from "../../node/system-code.ts";
import { stateFolder } from "../../node/user-folders.ts";

/**
 * What became of a message to an idle session. `nobody`: it was not read and will not be. `unknown`: a waiter took
 * it and did not confirm that the session got it.
 */
export type Woken = "woken" | "nobody" | "unknown";

const PAUSE_MILLISECONDS = 50;
const DEFAULT_MILLISECONDS = { appear: 5000, take: 10_000, read: 5000 } as const;
const TIDIED = { milliseconds: 7 * 24 * 60 * 60 * 1000, bytes: 10_000_000 };

/**
 * Wakes an idle session of Claude Code with a message, if its background hook waits (`tenterhook agent wake`, in
 * client.sh). Renaming the message takes it, and takes it back: one of the two succeeds.
 *
 * @throws the file system's error.
 */
export async function wakeSession(
  session: string,
  message: string,
  environment: NodeJS.ProcessEnv,
  {
    appear = DEFAULT_MILLISECONDS.appear,
    take = DEFAULT_MILLISECONDS.take,
  }: { readonly appear?: number; readonly take?: number } = {},
): Promise<Woken> {
  const named = waiterFile(session, environment);
  if (named === undefined) return "nobody";
  const read = (): string => readOwnFile(named, 100).text ?? "";
  const isWaiting = (): boolean => /^[1-9]\d*\n$/.test(read()) && isRunning(Number(read()));
  // It starts when the turn ends, as what wants to wake it may.
  if (!(await until(isWaiting, appear))) return "nobody";
  const waiter = read();
  const folder = dirname(named);
  const file = (part: string): string => join(folder, `${session}.${waiter.trim()}.${part}`);
  tidy(folder, TIDIED);
  rmSync(file("read"), { force: true });
  if (!(await createAtomically(file("message"), message))) return "nobody";
  const isTaken = await until(() => !existsSync(file("message")), take);
  if (!isTaken && takenBack(file("message"), file("withdrawn"))) return "nobody";
  const isRead = await until(() => existsSync(file("read")), DEFAULT_MILLISECONDS.read);
  rmSync(file("read"), { force: true });
  return isRead ? "woken" : "unknown";
}

/** Ends the waiter of a session that is over: the agent's process may go on with another one. Never throws. */
export function endWaiter(session: string, environment: NodeJS.ProcessEnv): void {
  const named = waiterFile(session, environment);
  if (named === undefined) return;
  try {
    rmSync(named, { force: true });
  } catch {
    // It ends with the agent's process at the latest.
  }
}

/** The file with the id of the process that waits for a session; `undefined` when that would be no name of a file. */
function waiterFile(session: string, environment: NodeJS.ProcessEnv): string | undefined {
  if (!/^[\w-]+$/.test(session)) return undefined;
  return join(stateFolder(environment), "monitor", "wake", `${session}.waiter`);
}

async function until(check: () => boolean, milliseconds: number): Promise<boolean> {
  const latest = Date.now() + milliseconds;
  while (!check()) {
    if (Date.now() >= latest) return false;
    await sleep(PAUSE_MILLISECONDS);
  }
  return true;
}

function takenBack(message: string, withdrawn: string): boolean {
  try {
    renameSync(message, withdrawn);
    rmSync(withdrawn, { force: true });
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
