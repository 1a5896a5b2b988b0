import { effectAllowed } from "../events/known-events.ts";
import type { ContextItem, UserMessage } from "../events/outcomes.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { failureMode, type RegisteredHook } from "../registration/registered-hook.ts";
import type { BoundedContext } from "./cap-text.ts";
import type { Decision, HookFailure, HookInput, HookRun } from "./decision.ts";
import type { FireScope } from "./event-scope.ts";
import { failureText, type NamedFailure, toldOnce } from "./failure-text.ts";
import type { HookCall } from "./hook-call.ts";
import { subjectOf } from "./rewrite.ts";
import { mergeVerdicts, type Verdict } from "./verdicts.ts";

/** A hook that failed, for the Error event. */
export interface RaisedFailure {
  readonly hook: RegisteredHook;
  readonly failure: HookFailure;
}

/** Why the run must end. */
export type Abort = NonNullable<Decision["abort"]>;

/** What the hooks of one event say, in hook order, until it becomes a decision. Nothing a hook says is lost. */
export interface Tally {
  readonly scope: FireScope;
  readonly runs: HookRun[];
  readonly failures: RaisedFailure[];
  readonly context: ContextItem[];
  readonly userMessages: UserMessage[];
  hookInputs: HookInput[];
  keepGoing: string[];
  answer: { readonly value: unknown } | undefined;
  retry: Decision["retry"];
  abort: Abort | undefined;
  readonly verdicts: Verdict[];
}

/** A tally of nothing. */
export function newTally(scope: FireScope): Tally {
  return {
    scope,
    runs: [],
    failures: [],
    context: [],
    userMessages: [],
    hookInputs: [],
    keepGoing: [],
    answer: undefined,
    retry: undefined,
    abort: undefined,
    verdicts: [],
  };
}

/** Takes in everything a hook said. */
export function absorb(tally: Tally, call: HookCall, run: HookRun): void {
  tally.runs.push(run);
  const { outcomes, failure } = call.said;
  if (outcomes.length > 0) {
    absorbVerdicts(tally, call);
    absorbRest(tally, call);
  }
  if (failure !== undefined) absorbFailure(tally, call.hook, failure, call.asked.event);
}

/** Takes in a recheck: only what it says about the call, and a failure, count. */
export function absorbRecheck(tally: Tally, call: HookCall, run: HookRun): void {
  tally.runs.push(run);
  absorbVerdicts(tally, call);
  const { failure } = call.said;
  if (failure !== undefined) absorbFailure(tally, call.hook, failure, call.asked.event);
}

/** Takes in a hook that did not run: its turn never came, or its matcher threw. */
export function absorbNotRun(tally: Tally, hook: RegisteredHook, run: HookRun, event: AnyEvent): void {
  tally.runs.push(run);
  if (run.failure === undefined) return;
  hook.counters.failures += 1;
  absorbFailure(tally, hook, run.failure, event);
}

/** Ends the run; on a gate that is a refusal too. */
export function absorbAbort(tally: Tally, abort: Abort): void {
  tally.abort ??= abort;
  if (tally.scope.known.row.gate)
    tally.verdicts.push({ action: "deny", reason: abort.reason, input: undefined });
}

/** True when a hook has refused, or ended the run. */
export function hasRefused(tally: Tally): boolean {
  return tally.abort !== undefined || tally.verdicts.some((verdict) => verdict.action === "deny");
}

/** The decision, from what was collected and the fields that were rewritten. A run that ends is not kept going. */
export function decisionOf(
  tally: Tally,
  finalEvent: AnyEvent,
  rewritten: Partial<Decision> | undefined,
): Decision {
  const { verdicts, userMessages } =
    tally.failures.length < 2 ? tally : toldOnce(tally, named(tally.failures));
  const decision: { -readonly [Key in keyof Decision]: Decision[Key] } = {
    action: "continue",
    context: tally.context,
    user_messages: userMessages,
    hook_inputs: tally.hookInputs,
    runs: tally.runs,
  };
  if (rewritten !== undefined) Object.assign(decision, rewritten);
  if (verdicts.length > 0) {
    Object.assign(decision, mergeVerdicts(verdicts, subjectOf(finalEvent, tally.scope.known)));
  }
  if (tally.answer !== undefined) decision.answer = tally.answer.value;
  if (tally.abort !== undefined) return { ...decision, abort: tally.abort, hook_inputs: [] };
  if (tally.keepGoing.length > 0) decision.keep_going = { reason: tally.keepGoing.join("\n") };
  if (tally.retry !== undefined) decision.retry = tally.retry;
  return decision;
}

/** A tally of the failures alone, to raise them after the decision was given. */
export function failuresOf(tally: Tally): Tally {
  return { ...newTally(tally.scope), failures: [...tally.failures] };
}

function named(failures: readonly RaisedFailure[]): readonly NamedFailure[] {
  return failures.map(({ hook, failure }) => ({ name: hook.hook.name, failure }));
}

function absorbVerdicts(tally: Tally, { asked, said: { outcomes, rewritten } }: HookCall): void {
  for (const outcome of outcomes) {
    if (outcome.type === "allow" || outcome.type === "ask" || outcome.type === "deny") {
      // Who permits and rewrites in one answer permits what it wrote.
      const input = rewritten === undefined ? judged(tally, asked.event) : rewritten.after;
      tally.verdicts.push({ action: outcome.type, reason: outcome.reason, input });
    } else if (outcome.type === "abort") {
      absorbAbort(tally, outcome.reason === undefined ? {} : { reason: outcome.reason });
    }
  }
}

function absorbRest(tally: Tally, call: HookCall): void {
  const hook = call.hook.hook.name;
  const { outcomes } = call.said;
  for (const outcome of outcomes) {
    switch (outcome.type) {
      case "context":
        tally.context.push(contextItem(outcome, hook));
        break;
      case "user_message":
        tally.userMessages.push({ text: outcome.text, level: outcome.level ?? "info", hook });
        break;
      case "keep_going":
        tally.keepGoing.push(outcome.reason);
        break;
      case "hook_input":
        tally.hookInputs.push({ hook, text: outcome.text });
        break;
      case "answer":
        tally.answer ??= { value: outcome.answer };
        break;
      case "retry":
        tally.retry ??= outcome.reason === undefined ? {} : { reason: outcome.reason };
        break;
      default:
    }
  }
}

function absorbFailure(tally: Tally, hook: RegisteredHook, failure: HookFailure, event: AnyEvent): void {
  const raised = tally.failures.some((other) => other.hook === hook);
  if (!raised) tally.failures.push({ hook, failure });
  const action = failureAction(tally, hook, failure, event);
  const said = failureText([hook.hook.name], failure);
  if (action !== undefined) tally.verdicts.push({ action, reason: said, input: judged(tally, event) });
  // Who cancels knows it, and a hook that fails in both passes is shown once.
  if (raised || failure.kind === "cancelled") return;
  tally.userMessages.push({
    text: said,
    level: action === undefined ? "warning" : "error",
    hook: hook.hook.name,
  });
}

function failureAction(
  tally: Tally,
  hook: RegisteredHook,
  { kind }: HookFailure,
  event: AnyEvent,
): "ask" | "deny" | undefined {
  const { known } = tally.scope;
  const mode = failureMode(hook.hook, known.row, kind);
  if (mode === "open") return undefined;
  if (mode === "ask" && effectAllowed(known, event, "ask")) return "ask";
  return effectAllowed(known, event, "deny") ? "deny" : undefined;
}

function judged(tally: Tally, event: AnyEvent): unknown {
  return subjectOf(event, tally.scope.known);
}

function contextItem(
  { text, role, lifetime, recorded, shortened }: BoundedContext,
  hook: string,
): ContextItem {
  return {
    text,
    hook,
    role: role ?? "user",
    lifetime: lifetime ?? "turn",
    recorded: recorded ?? true,
    ...(shortened === undefined ? {} : { shortened }),
  };
}
