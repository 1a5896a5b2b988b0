import { readFileSync, writeFileSync } from "node:fs";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import type { ToolContext } from "../../../core/contracts/tool.ts";
import { whileClaimed } from "../../../node/files/claim-file.ts";
import { lockFile } from "../../../node/files/lock.ts";
import { failed } from "../input.ts";
import { fingerprint } from "./known-files.ts";
import type { Place } from "./workspace.ts";

type Locking = Pick<ToolContext, "agent_id" | "signal" | "memory" | "environment">;

/** For so long a file counts as another agent's work. */
const RECENT_MILLISECONDS = 60 * 60 * 1000;

const last = new Map<string, Promise<void>>();

/**
 * Runs work on a file one after the other: that of all agents of this user on this machine, in whichever process.
 *
 * @throws TenterhookError `tool_failed` when another agent does not finish in time; what `work` throws.
 */
export async function withFileLock<T>(place: Place, context: Locking, work: () => Promise<T>): Promise<T> {
  const { signal } = context;
  const before = last.get(place.real);
  let release = (): void => {};
  const mine = new Promise<void>((resolve) => {
    release = resolve;
  });
  last.set(place.real, mine);
  let began = false;
  const begin = (): Promise<T> => {
    began = true;
    return work();
  };
  try {
    await before;
    signal.throwIfAborted();
    const lock = lockOf(place, context);
    return await (lock === undefined ? begin() : whileClaimed(lock, begin, signal));
  } catch (error) {
    if (began || signal.aborted) throw error;
    throw failed(`${place.written} is being written by another agent. Try again later.`, error);
  } finally {
    release();
    if (last.get(place.real) === mine) last.delete(place.real);
  }
}

/** Notes that this agent has written the file, for other agents. Call it within the lock. */
export function noteWriter(place: Place, content: Uint8Array, context: Locking): void {
  const lock = lockOf(place, context);
  if (lock === undefined) return;
  const note = { agent_id: context.agent_id, mark: fingerprint(content), time: Date.now() };
  try {
    writeFileSync(`${lock}.by`, JSON.stringify(note), { mode: 0o600 });
  } catch {
    // The file itself is written.
  }
}

/**
 * Throws when another agent has just written the file and this one, which is about to replace all of it, has never seen that.
 * Call it within the lock.
 */
export function checkOthers(place: Place, bytes: Uint8Array, context: Locking): void {
  const lock = lockOf(place, context);
  if (lock === undefined || context.memory.has(`file:${place.real}`)) return;
  const { agent_id, mark, time } = noteIn(`${lock}.by`);
  const isRecent = typeof time === "number" && Math.abs(Date.now() - time) < RECENT_MILLISECONDS;
  if (!isRecent || agent_id === context.agent_id || mark !== fingerprint(bytes)) return;
  throw failed(
    `${place.written} was just written by another agent (${String(agent_id)}), and you have not read it. Read it, then repeat the change.`,
  );
}

function noteIn(file: string): Readonly<Record<string, unknown>> {
  try {
    const note = parseJson(readFileSync(file, "utf8"));
    return isRecord(note) ? note : {};
  } catch {
    return {};
  }
}

/** The file that stands for the lock; `undefined` where none can be kept, and only agents of this process take turns. */
function lockOf({ real }: Place, { environment }: Locking): string | undefined {
  try {
    return lockFile(real, { ...environment });
  } catch {
    return undefined;
  }
}
