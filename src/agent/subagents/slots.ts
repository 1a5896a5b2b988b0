import { AsyncLocalStorage } from "node:async_hooks";
import { type AgentSession, emit } from "../run/session/session.ts";
import type { Slots } from "../run/session/state.ts";

/** The runs of this program's agents that have the limit, without their subagents, and what waits for one of them to end. */
const runs = { open: 0, waiting: new Set<() => void>() };
const insideRun = new AsyncLocalStorage<true>();

/**
 * Runs a task of an agent when fewer than its `limits.max_concurrency` agents of this program that have the limit are at work. One
 * that a hook or a tool of another run starts is part of that run: if it waited, the two would wait for each other. An interrupted one begins at once,
 * to end.
 */
export async function inProgramSlot<Result>(
  session: AgentSession,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const { max_concurrency: most } = session.limits;
  // To follow a run costs time at each promise of the whole program.
  if (most === Number.POSITIVE_INFINITY || insideRun.getStore() === true) return work();
  for (let told = false; runs.open >= most && !signal.aborted; told = true) {
    const text = `${most === 1 ? "1 agent is" : `${most} agents are`} at work already (limits.max_concurrency), so this one waits.`;
    if (!told) emit(session, { type: "notice", text, level: "info" });
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        runs.waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      runs.waiting.add(wake);
      signal.addEventListener("abort", wake);
    });
  }
  runs.open += 1;
  try {
    return await insideRun.run(true, work);
  } finally {
    runs.open -= 1;
    for (const wake of [...runs.waiting]) wake();
  }
}

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
