import type { Decision } from "./decision.ts";
import type { AnyEvent } from "./event-types.ts";
import type { FireScope } from "./fire-scope.ts";
import { concludeRun, skippedRun, unmatchedRun } from "./hook-runs.ts";
import type { RegisteredHook } from "./registered-hook.ts";
import { ParallelRewrites, subjectOf, withSubject } from "./rewrite.ts";
import { runHook, type Settled } from "./run-hook.ts";
import type { Tally } from "./tally.ts";

/** Starts a hook that runs beside everything. */
export type StartAsync = (hook: RegisteredHook, event: AnyEvent) => void;

/** Where the deciding of an event stands: the event as the hooks so far left it, and which input each of them judged. */
export interface Pass {
  readonly scope: FireScope;
  readonly tally: Tally;
  event: AnyEvent;
  rewritten: boolean;
  /** The hooks that fit, in order. */
  plan: readonly RegisteredHook[];
  /** For each hook of the plan that was asked, the event it saw. */
  readonly judged: AnyEvent[];
}

/**
 * The hooks whose matcher fits the event, in order. A matcher that throws is a failure of its hook, never a hook that
 * is not there.
 */
export function makePlan(pass: Pass, candidates: readonly RegisteredHook[]): readonly RegisteredHook[] {
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
    return hook.test(event);
  } catch (error) {
    pass.tally.absorbUnmatched(hook, unmatchedRun(pass.scope, hook, error));
    return false;
  }
}

/**
 * Runs the hooks of a plan in order, each on the event as the ones before left it. Parallel hooks that stand next to
 * each other run together. Answers a promise only when a hook does: waiting for nothing costs more than most hooks.
 */
export function runPass(pass: Pass, startAsync: StartAsync, from = 0): Promise<void> | undefined {
  const { scope, tally, plan } = pass;
  for (let at = from; at < plan.length; at += 1) {
    const hook = plan[at];
    if (hook === undefined) return undefined;
    pass.judged.push(pass.event);
    const over = overBy(pass);
    if (over !== undefined) {
      tally.absorbSkipped(hook, skippedRun(scope, hook, over));
      continue;
    }
    if (hook.hook.once) takeTurn(scope, hook, pass.event);
    if (hook.hook.async) {
      startAsync(hook, pass.event);
    } else if (hook.hook.parallel) {
      const group = parallelGroup(plan, at);
      return resumePass(runGroup(pass, group), pass, startAsync, at + group.length);
    } else {
      const running = runHook(scope, hook, pass.event, scope.known, false);
      if (running instanceof Promise) return resumePass(takeLater(pass, running), pass, startAsync, at + 1);
      take(pass, running);
    }
  }
  return undefined;
}

async function resumePass(
  before: Promise<void>,
  pass: Pass,
  startAsync: StartAsync,
  from: number,
): Promise<void> {
  await before;
  await runPass(pass, startAsync, from);
}

async function takeLater(pass: Pass, running: Promise<Settled>): Promise<void> {
  take(pass, await running);
}

function take(pass: Pass, settled: Settled): void {
  pass.tally.absorb(settled, concludeRun(settled));
  if (settled.rewritten !== undefined) rewriteTo(pass, settled.rewritten.after);
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

/** Marks a `once` hook as done for such events of this session, whatever comes of it. */
export function takeTurn(scope: FireScope, hook: RegisteredHook, event: AnyEvent): void {
  scope.session.once_done ??= new Set();
  scope.session.once_done.add(turnKey(hook, event));
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
  return pass.scope.options.signal?.aborted === true ? "cancelled" : undefined;
}

function rewriteTo(pass: Pass, subject: unknown): void {
  pass.rewritten = true;
  pass.event = withSubject(pass.event, pass.scope.known, subject);
}

/** Runs hooks together on the same event and takes their answers in in hook order, whoever finished first. */
async function runGroup(pass: Pass, group: readonly RegisteredHook[]): Promise<void> {
  const { scope, tally, event } = pass;
  for (const hook of group.slice(1)) {
    pass.judged.push(event);
    if (hook.hook.once) takeTurn(scope, hook, event);
  }
  const settled = await Promise.all(group.map((hook) => runHook(scope, hook, event, scope.known, false)));
  const merged = new ParallelRewrites(subjectOf(event, scope.known));
  let rewritten = false;
  for (const one of settled) {
    const field = one.rewritten === undefined ? undefined : merged.add(one.rewritten.after);
    const final = field === undefined ? one : conflicting(one, field);
    rewritten ||= final.rewritten !== undefined;
    tally.absorb(final, concludeRun(final));
  }
  if (rewritten) rewriteTo(pass, merged.result());
}

function conflicting(settled: Settled, field: string): Settled {
  const message = `It changed ${field} in another way than a hook that ran beside it.`;
  return {
    ...settled,
    outcomes: settled.outcomes.filter((outcome) => outcome.type !== "rewrite"),
    rewritten: undefined,
    failure: { kind: "conflict", message },
  };
}
