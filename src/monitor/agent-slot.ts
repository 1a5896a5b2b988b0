import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { TenterhookError } from "../core/base/errors.ts";
import { claimFile } from "../node/files/claim-file.ts";
import { makePrivateFolder } from "../node/files/folders.ts";
import { stateFolder } from "../node/user-folders.ts";

const PAUSE_MILLISECONDS = 200;
const LONGEST_WAIT_MILLISECONDS = 60 * 60 * 1000;

/** Set for programs of an agent that has a slot. */
export const HAS_SLOT = "TENTERHOOK_SLOT";
/** Set by our own agent, too: what it starts is part of it. */
const PARTS = [HAS_SLOT, "TENTERHOOK_SESSION_RUN"] as const;

/** Whose slot it is, and how the user reads that an agent waits. */
export interface SlotSite {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly report: (text: string) => void;
}

/**
 * Waits until fewer than `most` agents of this user are at work, and counts this one until the returned function is called or the
 * process ends. An agent that another one starts is part of that one: if it waited, the two would wait for each other.
 *
 * @param most `monitor.max_concurrency`; without it nothing is counted.
 * @throws TenterhookError `agent_busy` after an hour; the reason of the signal; the file system's error.
 */
export async function takeAgentSlot(
  most: number | undefined,
  { environment, signal, report }: SlotSite,
): Promise<() => void> {
  if (most === undefined || PARTS.some((name) => environment[name] !== undefined)) return () => {};
  const folder = join(stateFolder(environment), "slots");
  makePrivateFolder(folder);
  const latest = performance.now() + LONGEST_WAIT_MILLISECONDS;
  const busy = `${most === 1 ? "1 agent is" : `${most} agents are`} at work already (monitor.max_concurrency)`;
  for (let told = false; ; told = true) {
    for (let number = 1; number <= most; number += 1) {
      const claim = claimFile(join(folder, String(number)));
      if (claim !== undefined) return () => claim.release();
    }
    if (!told) report(`${busy}, so this one waits for up to an hour. Ctrl-C ends it.`);
    if (performance.now() > latest) throw new TenterhookError("agent_busy", `${busy}.`);
    await after(PAUSE_MILLISECONDS, undefined, { signal });
  }
}
