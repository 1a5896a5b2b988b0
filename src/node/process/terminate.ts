import { setTimeout as wait } from "node:timers/promises";
import type { RunningProgram } from "./running.ts";
import { markedProcesses, markedProcessesNow } from "./running.ts";
import { sendSignal } from "./signals.ts";

/** How long processes have to end after SIGTERM. */
const GRACE_MILLISECONDS = 250;
/** How long to wait after SIGKILL; only a process that is stuck in the kernel takes longer. */
const GONE_MILLISECONDS = 1000;
const POLL_MILLISECONDS = 10;

export interface EndableProgram extends RunningProgram {
  /** True once the program itself has ended; its children may not have. */
  readonly exited: () => boolean;
}

/**
 * Ends a program with everything it started: its process group, and on Linux everything with its marker. Sends SIGTERM
 * first, then SIGKILL. Resolves when all of them are gone, within about 1.5 s. Never rejects.
 */
export async function terminate(program: EndableProgram): Promise<void> {
  await signalAll(program, "SIGTERM");
  if (!(await gone(program, GRACE_MILLISECONDS))) {
    await signalAll(program, "SIGKILL");
    await gone(program, GONE_MILLISECONDS, "SIGKILL");
  }
  // Processes that removed the marker but stayed in the group.
  sendSignal(-program.pid, "SIGKILL");
}

/**
 * Ends everything with a marker, in the same way. Does nothing where the variables of processes can't be read. Never
 * rejects.
 */
export async function terminateMarked(marker: string): Promise<void> {
  const marked = await markedProcesses(marker);
  if (marked.length === 0) return;
  for (const pid of marked) sendSignal(pid, "SIGTERM");
  const all = { marker, exited: () => true };
  if (!(await gone(all, GRACE_MILLISECONDS))) await gone(all, GONE_MILLISECONDS, "SIGKILL");
}

/** Kills everything with a marker, synchronously, for the end of our process. */
export function killMarkedNow(marker: string): void {
  for (const pid of markedProcessesNow([marker])) sendSignal(pid, "SIGKILL");
}

async function signalAll({ pid, marker }: EndableProgram, signal: NodeJS.Signals): Promise<void> {
  sendSignal(-pid, signal);
  for (const marked of await markedProcesses(marker)) sendSignal(marked, signal);
}

/** True when all are gone before the timeout. Sends the signal to those that are found meanwhile. */
async function gone(
  program: Pick<EndableProgram, "marker" | "exited"> & { readonly pid?: number },
  milliseconds: number,
  signal?: NodeJS.Signals,
): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  // Twice: the first look can miss the child of a process that forked and ended meanwhile.
  let empty = 0;
  do {
    const left = await survivors(program);
    empty = left.length === 0 && program.exited() ? empty + 1 : 0;
    if (empty === 2) return true;
    if (signal !== undefined) for (const pid of left) sendSignal(pid, signal);
    if (empty === 0) await wait(POLL_MILLISECONDS);
  } while (performance.now() < deadline);
  return false;
}

async function survivors({
  pid,
  marker,
}: {
  readonly pid?: number;
  readonly marker: string;
}): Promise<readonly number[]> {
  if (process.platform === "linux" || pid === undefined) return markedProcesses(marker);
  return sendSignal(-pid, 0) ? [-pid] : [];
}
