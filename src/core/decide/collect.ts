import type { DecisionOption } from "../contracts/questions.ts";
import { readOptions } from "../contracts/questions.ts";
import { effectAllowed } from "../events/known-events.ts";
import type { ContextItem } from "../events/outcomes.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { failureMode, type RegisteredHook } from "../registration/registered-hook.ts";
import type { Pending } from "../session/state.ts";
import type { CappedContext } from "./cap-text.ts";
import type { Decision, HookFailure, HookRun } from "./decision.ts";
import { failureTexts, managerLine } from "./failures.ts";
import type { FiredEvent, Verdict } from "./fired-event.ts";
import type { HookCall } from "./hook-call.ts";
import { mergedKeys } from "./merge.ts";
import { recordRun } from "./record.ts";
import { subjectOf } from "./rewrite.ts";

export function addAnswer(call: HookCall): void {
  const { collected } = call.scope;
  collected.runs.push(recordRun(call));
  if (call.answer.outcomes.length > 0) {
    addVerdicts(call);
    addEffects(call);
    if (call.hook.hook.short_circuit && call.answer.outcomes.some(({ type }) => type === "deny"))
      collected.isShortCircuited = true;
  }
  if (call.answer.failure !== undefined) addFailure(call.scope, call.hook, call.answer.failure, call.event);
}

/** Adds a recheck: only its verdict on the call and its failure count. */
export function addRecheck(call: HookCall): void {
  call.scope.collected.runs.push(recordRun(call));
  addVerdicts(call);
  if (call.answer.failure !== undefined) addFailure(call.scope, call.hook, call.answer.failure, call.event);
}

/** Adds a hook that did not run: its turn never came, or its matcher threw. */
export function addNotRun(scope: FiredEvent, hook: RegisteredHook, run: HookRun, event: AnyEvent): void {
  scope.collected.runs.push(run);
  if (run.failure === undefined) return;
  hook.counters.failures += 1;
  addFailure(scope, hook, run.failure, event);
}

/** Adds what async hooks left for this session, as far as this event can take it. */
export function addPending(scope: FiredEvent, pending: Pending): void {
  const { session, known, collected } = scope;
  const { messages, abort, context } = pending;
  collected.userMessages.push(...messages);
  // An event outside a run, which can't be aborted, is the last of its session.
  if (abort !== undefined && known.allowed.has("abort")) addAbort(scope, abort);
  const isTaken = context.length === 0 || known.allowed.has("context");
  if (isTaken) collected.context.push(...context);
  session.pending = isTaken ? undefined : { messages: [], abort: undefined, context };
}

/** Ends the run; on a gate that is a refusal too. */
export function addAbort({ collected, known }: FiredEvent, abort: NonNullable<Decision["abort"]>): void {
  collected.abort ??= abort;
  if (known.row.gate) collected.verdicts.push({ action: "deny", reason: abort.reason });
}

/** True when a hook has refused, or ended the run. */
export function hasRefused({ collected }: FiredEvent): boolean {
  return collected.abort !== undefined || collected.verdicts.some(({ action }) => action === "deny");
}

/** Adds the failure of a hook: a gate that fails or is late refuses, unless its `on_failure` says otherwise. */
function addFailure(scope: FiredEvent, hook: RegisteredHook, failure: HookFailure, event: AnyEvent): void {
  const { collected } = scope;
  const isKnown = collected.failures.some((other) => other.hook === hook);
  if (!isKnown) collected.failures.push({ hook, failure });
  const action = failureAction(scope, hook, failure, event);
  const texts = failureTexts([hook.hook.name], failure);
  const reason = texts.reason + managerLine(hook);
  if (action === "keep_going") collected.keepGoing.push(reason);
  else if (action !== undefined) collected.verdicts.push({ action, reason });
  // The caller knows that it cancelled, and a hook that fails in the recheck too is shown once.
  if (isKnown || failure.kind === "cancelled") return;
  const level = action === undefined ? "warning" : "error";
  collected.userMessages.push({ text: texts.user, level, hook: hook.hook.name });
}

function failureAction(
  { known }: FiredEvent,
  hook: RegisteredHook,
  { kind }: HookFailure,
  event: AnyEvent,
): "ask" | "deny" | "keep_going" | undefined {
  const mode = failureMode(hook.hook, known.row, kind);
  if (mode === "open") return undefined;
  if (mode === "ask" && effectAllowed(known, event, "ask")) return "ask";
  if (effectAllowed(known, event, "deny")) return "deny";
  return known.row.refused_by === "keep_going" && kind !== "cancelled" ? "keep_going" : undefined;
}

function addVerdicts(call: HookCall): void {
  const { scope, hook, answer } = call;
  const { collected } = scope;
  for (const outcome of answer.outcomes) {
    if (outcome.type === "allow" || outcome.type === "ask" || outcome.type === "deny") {
      const options = outcome.type === "ask" ? readOptions(outcome.options) : [];
      const reason = options.length === 0 ? outcome.reason : offering(outcome.reason, options);
      const verdict: Verdict = {
        action: outcome.type,
        reason,
        ...(outcome.type === "allow" && { input: judgedInput(call) }),
      };
      collected.verdicts.push(verdict);
      if (options.length > 0) collected.choices.push({ hook, reason: outcome.reason, options, verdict });
    } else if (outcome.type === "abort") {
      addAbort(scope, outcome.reason === undefined ? {} : { reason: outcome.reason });
    }
  }
}

/** What a hook permits or answers: a hook that also rewrites in one reply means what it wrote. */
function judgedInput({ scope, event, answer: { rewritten } }: HookCall): unknown {
  return rewritten === undefined ? subjectOf(event, scope.known) : rewritten.after;
}

/** The reason of an ask whose options were not offered, or of which none was chosen. */
function offering(reason: string | undefined, options: readonly DecisionOption[]): string {
  const labels = options.map(({ label }) => label).join(", ");
  return `${reason === undefined ? "" : `${reason} `}(None of its options was chosen: ${labels}.)`;
}

function addEffects(call: HookCall): void {
  const {
    scope,
    hook: { hook },
    answer,
  } = call;
  const { collected } = scope;
  for (const outcome of answer.outcomes) {
    switch (outcome.type) {
      case "context":
        collected.context.push(contextItem(outcome, hook.name));
        break;
      case "user_message":
        collected.userMessages.push({
          text: outcome.text,
          level: outcome.level ?? "info",
          hook: hook.name,
        });
        break;
      case "keep_going":
        collected.keepGoing.push(outcome.reason);
        break;
      case "hook_input":
        collected.hookInputs.push({ hook: hook.name, text: outcome.text });
        break;
      case "answer":
        collected.answers.push({ value: outcome.answer, input: judgedInput(call) });
        break;
      case "time_limit":
        collected.timeLimit = Math.min(collected.timeLimit ?? outcome.seconds, outcome.seconds);
        break;
      case "retry": {
        const { type: _, ...wanted } = outcome;
        if (wanted.times === undefined || Number(call.event.attempt ?? 1) <= wanted.times)
          collected.retry ??= wanted;
        break;
      }
      case "native":
        collected.native = mergedKeys(collected.native ?? {}, outcome.reply);
        break;
      // Verdicts, and what changed the event as it was read.
      case "allow":
      case "ask":
      case "deny":
      case "abort":
      case "rewrite":
        break;
      default:
        outcome satisfies never;
    }
  }
}

function contextItem(
  { text, role = "user", lifetime = "turn", recorded = true, shortened }: CappedContext,
  hook: string,
): ContextItem {
  return { text, hook, role, lifetime, recorded, ...(shortened && { shortened }) };
}
