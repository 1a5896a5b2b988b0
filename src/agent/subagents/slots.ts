import type { AgentSession } from "../run/session/session.ts";
import type { Slots } from "../run/session/state.ts";

/**
 * Runs a subagent when fewer than `limits.max_concurrency` of its session are at work, first come, first served. A subagent that
 * waits for its own subagents does not work meanwhile, so that they never wait for it.
 *
 * @throws the reason of the signal; what `work` throws.
 */
export async function inSlot<Result>(
  { subagents }: AgentSession,
  { signal, inBackground }: { readonly signal: AbortSignal; readonly inBackground: boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  const { slots, depth } = subagents;
  const lends = depth > 0 && !inBackground;
  if (lends) {
    subagents.waits_for += 1;
    if (subagents.waits_for === 1) give(slots);
  }
  try {
    await take(slots, signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      give(slots);
    }
  } finally {
    if (lends) {
      subagents.waits_for -= 1;
      if (subagents.waits_for === 0) await take(slots, signal);
    }
  }
}

function give(slots: Slots): void {
  slots.free += 1;
  const [next] = slots.waiting;
  if (slots.free > 0) next?.();
}

/** Takes a slot when one is free, or at once when the signal is aborted: nobody works then, and the count stays right. */
function take(slots: Slots, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const taken = (): void => {
      slots.waiting.delete(taken);
      signal.removeEventListener("abort", taken);
      slots.free -= 1;
      resolve();
    };
    if (slots.free > 0 || signal.aborted) return taken();
    slots.waiting.add(taken);
    signal.addEventListener("abort", taken, { once: true });
  });
}
