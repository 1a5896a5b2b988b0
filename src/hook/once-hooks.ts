import type { DecodedEvent } from "../adapters/adapter.ts";
import { builtin } from "../node/builtin.ts";
import { claimedBy, claimFile } from "../node/files/claim-file.ts";
import { makePrivateFolder, tidy } from "../node/files/folders.ts";
import { stateFolder } from "../node/user-folders.ts";

/** The events at which a hook runs once. */
type Where = Pick<DecodedEvent, "session_id" | "hook_event_name">;

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;
const TIDIED = {
  milliseconds: THIRTY_DAYS,
  bytes: Number.POSITIVE_INFINITY,
  concerns: (name: string) => /^[0-9a-f]{64}$/.test(name),
};
/** What is left in a claim whose hook has run. */
const RAN = "ran";

export interface OnceRun {
  /** The hook has answered or failed. When the call was ended before that, it has not run. Never throws. */
  end(isCut: boolean): void;
}

/** True when a `once` hook has run at such an event of this session. Never throws. */
export function hasRunOnce(hook: string, event: Where, environment: NodeJS.ProcessEnv): boolean {
  try {
    return claimedBy(onceFile(hook, event, environment))?.text === RAN;
  } catch {
    return false;
  }
}

/**
 * Claims the one run of a `once` hook at such an event of this session; `undefined` when it has run, or runs for another
 * event. A call that is decided again, because the process that decided it was ended or does not answer, takes its claim
 * over. Where nothing can be written, the hook runs each time. Never throws.
 */
export function claimOnce(
  hook: string,
  event: Where & { readonly event_id: string },
  environment: NodeJS.ProcessEnv,
): OnceRun | undefined {
  const file = onceFile(hook, event, environment);
  const running = `for ${event.event_id}`;
  try {
    const folder = builtin.path.dirname(file);
    makePrivateFolder(folder);
    tidy(folder, TIDIED);
    const claim = claimFile(
      file,
      ({ text, holder }) => text !== RAN && (holder === "gone" || text === running),
    );
    if (claim === undefined) return undefined;
    claim.write(running);
    return { end: (isCut) => quietly(() => (isCut ? claim.release() : claim.write(RAN))) };
  } catch {
    return { end: () => undefined };
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The hook runs once more, which is better than not at all.
  }
}

function onceFile(hook: string, event: Where, environment: NodeJS.ProcessEnv): string {
  const key = JSON.stringify([event.session_id, event.hook_event_name, hook]);
  const name = builtin.crypto.createHash("sha256").update(key).digest("hex");
  return builtin.path.join(stateFolder(environment), "once", name);
}
