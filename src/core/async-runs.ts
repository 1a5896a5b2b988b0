import type { AnyEvent } from "./event-types.ts";
import { concludeRun, startedRun } from "./hook-runs.ts";
import type { Pass } from "./pass.ts";
import { type Raise, raiseFailures } from "./raise.ts";
import type { RegisteredHook } from "./registered-hook.ts";
import { runHook } from "./run-hook.ts";
import { Tally } from "./tally.ts";

/** The async hooks that are still running. */
export class AsyncRuns {
  private readonly running = new Set<Promise<void>>();

  add(run: Promise<void>): void {
    this.running.add(run);
    run.finally(() => this.running.delete(run));
  }

  /** Resolves when no async hook runs any more, those started in the meantime included. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}

/** Starts a hook beside the event. What it says waits for the session's next event that can take it. */
export function startAsyncHook(
  pass: Pass,
  hook: RegisteredHook,
  event: AnyEvent,
  runs: AsyncRuns,
  raise: Raise,
): void {
  pass.tally.runs.push(startedRun(pass.scope, hook));
  // A scope of its own: its clock readings must not move those of the hooks that run meanwhile.
  const own: Pass = { ...pass, scope: { ...pass.scope }, tally: new Tally(pass.scope), judged: [] };
  pass.scope.runs += 1; // The number of its run, which its own scope hands out.
  const deliver = async (): Promise<void> => {
    // The next tick, so that even a synchronous async hook never holds the event up.
    await Promise.resolve();
    const settled = await runHook(own.scope, hook, event, own.scope.known, false);
    own.tally.absorb(settled, concludeRun(settled));
    await raiseFailures(own, raise);
    leave(own);
  };
  runs.add(deliver());
}

/** Leaves what the hook said for the session's next events. */
function leave({ scope: { session }, tally }: Pass): void {
  if (tally.context.length > 0)
    session.pending_context = [...(session.pending_context ?? []), ...tally.context];
  if (tally.userMessages.length > 0)
    session.pending_messages = [...(session.pending_messages ?? []), ...tally.userMessages];
}
