import { HookFailureError } from "../events/hook-failure-error.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import { startAsyncHook } from "./async-runs.ts";
import type { Decision } from "./decision.ts";
import { type Deferred, deferred } from "./deferred.ts";
import type { Engine } from "./engine.ts";
import { type FireScope, isCancelled } from "./event-scope.ts";
import type { Asked, HookCall } from "./hook-call.ts";
import { concludeRun, skippedRun, unmatchedRun } from "./hook-runs.ts";
import { absorb, absorbNotRun, type Tally } from "./merge.ts";
import { type AnsweringCall, type Awaiting, isAnswering, type Waiter, waitFor } from "./pending-call.ts";
import { ParallelRewrites, subjectOf, withSubject } from "./rewrite.ts";
import { hookWaiter, releaseWaiter, runHook, runHookToEnd } from "./run-hook.ts";
import type { Said } from "./said.ts";

/** Where the deciding of an event stands: the event as the hooks so far left it, and which input each of them judged. */
export interface Pass {
  readonly scope: FireScope;
  readonly tally: Tally;
  event: AnyEvent;
  /** What the hooks of the plan are asked now. */
  asked: Asked;
  /** The hooks that could match when the event came: what changes in the set meanwhile counts from the next event on. */
  readonly candidates: readonly RegisteredHook[];
  /** The hooks that fit, in order. */
  plan: readonly RegisteredHook[];
  /** The place in the plan that comes next. */
  next: number;
  /** The event as it was before each rewrite, with the place in the plan until which hooks saw it so. */
  readonly earlier: { readonly until: number; readonly event: AnyEvent }[];
}

/**
 * The hooks whose matcher fits the event, in order. A matcher that throws is a failure of its hook, never a hook that
 * is not there.
 */
export function makePlan(pass: Pass): readonly RegisteredHook[] {
  const { candidates } = pass;
  let plan: RegisteredHook[] | undefined;
  for (let at = 0; at < candidates.length; at += 1) {
    const hook = candidates[at];
    if (hook === undefined) break;
    if (fits(pass, hook, pass.event) && !hasHadTurn(pass.scope, hook, pass.event)) plan?.push(hook);
    else plan ??= candidates.slice(0, at);
  }
  return plan ?? candidates;
}

/** Asks a hook's matcher about an event. */
export function fits(pass: Pass, hook: RegisteredHook, event: AnyEvent): boolean {
  if (hook.test === undefined) return true;
  try {
    if (hook.loading !== undefined)
      throw new HookFailureError("cancelled", "The run was cancelled before it was loaded.");
    return hook.test(event);
  } catch (error) {
    absorbNotRun(pass.tally, hook, unmatchedRun(pass.scope, hook, error), event);
    return false;
  }
}

/**
 * Runs hooks of a plan in order, each on the event as the ones before left it. Parallel hooks that stand next to each
 * other run together. Answers a promise when one has to be waited for, since waiting for nothing costs more than most
 * hooks: call it again then, until it answers none.
 */
export function runPass(pass: Pass, engine: Engine): Promise<unknown> | undefined {
  const running = advance(pass, engine);
  if (running === undefined || running instanceof Promise) return running;
  const done = deferred<unknown>();
  const waiting: WaitingPass = { pass, engine, done, over: hookIsOver };
  waitFor(hookWaiter(), running, waiting);
  return done.promise;
}

/** What a pass has to wait for: a hook, or a group of parallel ones. */
type Running = AnsweringCall | Promise<undefined>;

/**
 * A pass that waits for hooks. Each one that answers has the next one run: an async function that waits for one after
 * the other costs as much as most hooks do.
 */
interface WaitingPass extends Awaiting {
  readonly pass: Pass;
  readonly engine: Engine;
  readonly done: Deferred<unknown>;
}

function hookIsOver(this: WaitingPass, call: HookCall, waiter: Waiter): void {
  try {
    take(this.pass, call, this.pass.next - 1);
    // Whoever stopped a hook, or answers by other means than a promise, must not run the next one: in the middle of
    // something else, with what belongs to another event around it, and one on top of the other.
    const running = waiter.spent ? undefined : advance(this.pass, this.engine);
    if (running !== undefined && !(running instanceof Promise)) waitFor(waiter, running, this);
    else {
      releaseWaiter(waiter);
      this.done.resolve(running);
    }
  } catch (error) {
    this.done.reject(error);
  }
}

/** Runs hooks from the next place of the plan on, until one has to be waited for. */
function advance(pass: Pass, engine: Engine): Running | undefined {
  const { scope, tally, plan } = pass;
  for (let at = pass.next; at < plan.length; at += 1) {
    const hook = plan[at];
    if (hook === undefined) return undefined;
    const over = overBy(pass);
    if (over !== undefined) {
      absorbNotRun(tally, hook, skippedRun(scope, hook, over), pass.event);
      continue;
    }
    if (hook.hook.once && !takeTurn(scope, hook, pass.event)) continue;
    if (hook.hook.async) {
      startAsyncHook(pass, hook, engine);
    } else if (hook.hook.parallel) {
      const group = parallelGroup(plan, at);
      pass.next = at + group.length;
      return runGroup(pass, group, pass.next);
    } else {
      const call = runHook(pass.asked, hook);
      if (isAnswering(call)) {
        pass.next = at + 1;
        return call;
      }
      take(pass, call, at);
    }
  }
  pass.next = plan.length;
  return undefined;
}

function take(pass: Pass, call: HookCall, at: number): void {
  absorb(pass.tally, call, concludeRun(call));
  if (call.said.rewritten !== undefined) rewriteTo(pass, call.said.rewritten.after, at + 1);
}

/** The fields of the decision that carry what was rewritten. */
export function rewrittenFields(pass: Pass): Partial<Decision> {
  return Object.fromEntries(
    pass.scope.known.rewrites
      .map(([field, name]) => [name, pass.event[field]])
      .filter(([, value]) => value !== undefined),
  );
}

/** True for a `once` hook that ran on such an event of this session before. */
export function hasHadTurn(scope: FireScope, hook: RegisteredHook, event: AnyEvent): boolean {
  return hook.hook.once && scope.session.once_done?.has(turnKey(hook, event)) === true;
}

/**
 * Marks a `once` hook as done for such events of this session, whatever comes of it. False when another event that is
 * being decided at the same time was first.
 */
export function takeTurn(scope: FireScope, hook: RegisteredHook, event: AnyEvent): boolean {
  if (hasHadTurn(scope, hook, event)) return false;
  scope.session.once_done ??= new Set();
  scope.session.once_done.add(turnKey(hook, event));
  return true;
}

function turnKey(hook: RegisteredHook, event: AnyEvent): string {
  return `${hook.id} ${event.hook_event_name}`;
}

function parallelGroup(plan: readonly RegisteredHook[], start: number): readonly RegisteredHook[] {
  let end = start + 1;
  while (plan[end]?.hook.parallel === true && plan[end]?.hook.async === false) end += 1;
  return plan.slice(start, end);
}

function overBy(pass: Pass): "abort" | "cancelled" | undefined {
  if (pass.tally.abort !== undefined) return "abort";
  return isCancelled(pass.scope) ? "cancelled" : undefined;
}

/** The event as the hook at this place of the plan saw it; `undefined` for a hook that is not in it. */
export function seenAt({ earlier, event }: Pass, at: number): AnyEvent | undefined {
  if (at < 0) return undefined;
  return earlier.find(({ until }) => at < until)?.event ?? event;
}

/** Gives the hooks of the plan from this place on another event to see. */
function rewriteTo(pass: Pass, subject: unknown, from: number): void {
  pass.earlier.push({ until: from, event: pass.event });
  pass.event = withSubject(pass.event, pass.scope.known, subject);
  pass.asked = { ...pass.asked, event: pass.event };
}

/** Runs hooks together on the same event and takes their answers in in hook order, whoever finished first. */
async function runGroup(pass: Pass, group: readonly RegisteredHook[], next: number): Promise<undefined> {
  const { scope, tally, event, asked } = pass;
  const running: Promise<HookCall>[] = [];
  for (const [at, hook] of group.entries()) {
    // The first has taken its turn already.
    if (at > 0 && hook.hook.once && !takeTurn(scope, hook, event)) continue;
    running.push(runHookToEnd(asked, hook));
  }
  const calls = await Promise.all(running);
  const merged = new ParallelRewrites(subjectOf(event, scope.known));
  let rewritten = false;
  for (const call of calls) {
    const field = call.said.rewritten === undefined ? undefined : merged.add(call.said.rewritten.after);
    if (field !== undefined) call.said = conflicting(call.said, field);
    rewritten ||= call.said.rewritten !== undefined;
    absorb(tally, call, concludeRun(call));
  }
  if (rewritten) rewriteTo(pass, merged.result(), next);
  return undefined;
}

function conflicting({ outcomes }: Said, field: string): Said {
  const message = `It changed ${field} in another way than a hook that ran beside it.`;
  return {
    outcomes: outcomes.filter((outcome) => outcome.type !== "rewrite"),
    rewritten: undefined,
    failure: { kind: "conflict", message },
  };
}
