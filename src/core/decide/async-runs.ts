import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { Engine } from "./engine.ts";
import { readClock } from "./event-scope.ts";
import { type Raise, raiseFailures } from "./failures.ts";
import { concludeRun, startedRun } from "./hook-runs.ts";
import { absorb, newTally } from "./merge.ts";
import { runHookToEnd } from "./run-hook.ts";
import type { Pass } from "./run-plan.ts";

/** The async hooks that are still running. */
export class AsyncRuns {
  private readonly running = new Set<Promise<void>>();

  add(run: Promise<void>): void {
    const tracked = run.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }

  /** Resolves when no async hook runs any more, those started in the meantime included. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }
}

/** Starts a hook beside the event. What it says waits for the session's next event that can take it. */
export function startAsyncHook(pass: Pass, hook: RegisteredHook, { asyncRuns, raise }: Engine): void {
  pass.tally.runs.push(startedRun(pass.scope, hook));
  // A scope of its own: its clock readings must not move those of the hooks that run meanwhile.
  const scope = { ...pass.scope, cancellation: undefined };
  const own: Pass = { ...pass, scope, tally: newTally(scope), earlier: [] };
  pass.scope.runs += 1; // The number of its run, which its own scope hands out.
  asyncRuns.add(
    new Promise((resolve) => {
      // Not before whoever fired the event has gone on: even a hook that works synchronously must not hold it up.
      scope.ports.clock.after(0, () => resolve(deliver(own, hook, raise)));
    }),
  );
}

async function deliver(own: Pass, hook: RegisteredHook, raise: Raise): Promise<void> {
  readClock(own.scope);
  const { scope, tally, event } = own;
  const call = await runHookToEnd({ scope, event, known: scope.known, recheck: false }, hook);
  absorb(tally, call, concludeRun(call));
  await raiseFailures(own, raise);
  const { session } = scope;
  if (tally.abort !== undefined) session.pending_abort ??= tally.abort;
  if (tally.context.length > 0)
    session.pending_context = [...(session.pending_context ?? []), ...tally.context];
  if (tally.userMessages.length > 0)
    session.pending_messages = [...(session.pending_messages ?? []), ...tally.userMessages];
}
