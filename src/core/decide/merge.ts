import { sameJson } from "../base/json.ts";
import type { DecisionOption } from "../contracts/monitor.ts";
import { readOptions } from "../contracts/questions.ts";
import type { Action } from "../events/effects.ts";
import { effectAllowed } from "../events/known-events.ts";
import type { ContextItem } from "../events/outcomes.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { toolOf } from "../match/tool-inputs.ts";
import { failureMode, type RegisteredHook } from "../registration/registered-hook.ts";
import type { CappedContext } from "./cap-text.ts";
import type { Decision, HookFailure, HookRun } from "./decision.ts";
import type { EventScope, FireOptions, Verdict } from "./event-scope.ts";
import { failureTexts, joinUntrusted } from "./failures.ts";
import type { HookCall } from "./hook-call.ts";
import { ACTION_RANK, mergedKeys } from "./read-outcomes.ts";
import { subjectOf } from "./rewrite.ts";
import { recordRun } from "./run-hook.ts";

/** Adds everything a hook answered. */
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
export function addNotRun(scope: EventScope, hook: RegisteredHook, run: HookRun, event: AnyEvent): void {
  scope.collected.runs.push(run);
  if (run.failure === undefined) return;
  hook.counters.failures += 1;
  addFailure(scope, hook, run.failure, event);
}

/** Adds what async hooks left for this session, as far as this event can take it. */
export function addPending(scope: EventScope): void {
  const { session, known, collected } = scope;
  collected.userMessages.push(...(session.pending_messages ?? []));
  session.pending_messages = undefined;
  if (session.pending_abort !== undefined && known.allowed.has("abort")) {
    addAbort(scope, session.pending_abort);
    session.pending_abort = undefined;
  }
  if (session.pending_context !== undefined && known.allowed.has("context")) {
    collected.context.push(...session.pending_context);
    session.pending_context = undefined;
  }
}

/** Ends the run; on a gate that is a refusal too. */
function addAbort({ collected, known }: EventScope, abort: NonNullable<Decision["abort"]>): void {
  collected.abort ??= abort;
  if (known.row.gate) collected.verdicts.push({ action: "deny", reason: abort.reason, input: undefined });
}

/** True when a hook has refused, or ended the run. */
export function hasRefused({ collected }: EventScope): boolean {
  return collected.abort !== undefined || collected.verdicts.some(({ action }) => action === "deny");
}

/** Makes the decision from what was collected. A run that ends gets no keep_going and no hook inputs. */
export function decisionOf(scope: EventScope): Decision {
  const { collected, known, event } = scope;
  const { verdicts, userMessages } = joinUntrusted(collected, collected.failures);
  const { action, reason } = mergeVerdicts(verdicts, subjectOf(event, known));
  const decision: { -readonly [Key in keyof Decision]: Decision[Key] } = {
    action,
    ...(reason === undefined ? {} : { reason }),
    context: collected.context,
    user_messages: userMessages,
    hook_inputs: collected.hookInputs,
    runs: collected.runs,
  };
  if (scope.rewritten.length > 0) Object.assign(decision, rewrittenFields(scope));
  if (collected.native !== undefined) decision.native = collected.native;
  if (collected.answer !== undefined) decision.answer = collected.answer.value;
  if (collected.abort !== undefined) return { ...decision, abort: collected.abort, hook_inputs: [] };
  if (collected.keepGoing.length > 0) decision.keep_going = { reason: collected.keepGoing.join("\n") };
  if (collected.retry !== undefined) decision.retry = collected.retry;
  return decision;
}

/** Fires an Error event for each hook that failed, once. A failing Error hook fires none. */
export async function raiseFailures(scope: EventScope): Promise<void> {
  for (const { hook, failure } of scope.collected.failures) {
    await raiseError(
      scope,
      `hook_${failure.kind}`,
      `Hook "${hook.hook.name}" failed on ${scope.known.name} (${failure.kind}): ${failure.message}`,
    );
  }
}

/** Fires one Error event; its messages to the user and its abort join the decision. */
export async function raiseError(
  scope: EventScope,
  error_type: string,
  error_message: string,
): Promise<void> {
  const { known, engine, event, options, collected } = scope;
  if (known.name === "Error") return;
  const { session_id, cwd, agent_id, agent_type, host, parent_agent_id, turn_id, transcript_path } = event;
  const { tool_use_id } = event;
  const whose = { session_id, cwd, agent_id, agent_type, host, parent_agent_id, turn_id, transcript_path };
  const decision = await engine.fire(
    { ...whose, tool: toolOf(event), tool_use_id, error_type, error_message, hook_event_name: "Error" },
    errorOptions(options),
  );
  collected.userMessages.push(...decision.user_messages);
  if (decision.abort !== undefined) addAbort(scope, decision.abort);
}

/** Inside the engine there is nothing to try again; and the signal that cancelled the event is not that of its Error hooks. */
function errorOptions({ signal, late_signal }: FireOptions): FireOptions {
  return { no_retry: true, signal: signal?.aborted === true ? late_signal?.() : undefined };
}

/** The strongest action and its reasons, each once, one a line. An allow counts only for the input it was given to. */
function mergeVerdicts(
  verdicts: readonly Verdict[],
  finalInput: unknown,
): { readonly action: Action; readonly reason?: string } {
  const counting = verdicts.filter(({ action, input }) => action !== "allow" || sameJson(input, finalInput));
  let strongest: Action = "continue";
  for (const { action } of counting) if (ACTION_RANK[action] > ACTION_RANK[strongest]) strongest = action;
  const reasons = new Set<string>();
  for (const { action, reason } of counting) if (action === strongest && reason) reasons.add(reason);
  return reasons.size === 0 ? { action: strongest } : { action: strongest, reason: [...reasons].join("\n") };
}

/** The fields of the decision that carry what was rewritten. */
function rewrittenFields({ known, event, rewritten }: EventScope): Partial<Decision> {
  const original = rewritten[0]?.event ?? event;
  return Object.fromEntries(
    known.rewrites
      .filter(([field, name]) => name !== "output" || !sameJson(event[field], original[field]))
      .map(([field, name]) => [name, event[field]])
      .filter(([, value]) => value !== undefined),
  );
}

function addVerdicts({ scope, hook, event, answer: { outcomes, rewritten } }: HookCall): void {
  const { collected } = scope;
  for (const outcome of outcomes) {
    if (outcome.type === "allow" || outcome.type === "ask" || outcome.type === "deny") {
      // A hook that permits and rewrites in one answer permits what it wrote.
      const input = rewritten === undefined ? subjectOf(event, scope.known) : rewritten.after;
      const options = outcome.type === "ask" ? readOptions(outcome.options) : [];
      const reason = options.length === 0 ? outcome.reason : offering(outcome.reason, options);
      const verdict = { action: outcome.type, reason, input };
      collected.verdicts.push(verdict);
      if (options.length > 0) collected.choices.push({ hook, reason: outcome.reason, options, verdict });
    } else if (outcome.type === "abort") {
      addAbort(scope, outcome.reason === undefined ? {} : { reason: outcome.reason });
    }
  }
}

/** The reason of an ask whose options were not offered, or of which none was chosen. */
function offering(reason: string | undefined, options: readonly DecisionOption[]): string {
  const labels = options.map(({ label }) => label).join(", ");
  return `${reason === undefined ? "" : `${reason} `}(None of its options was chosen: ${labels}.)`;
}

function addEffects({ scope: { collected }, hook: { hook }, answer }: HookCall): void {
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
        collected.answer ??= { value: outcome.answer };
        break;
      case "retry":
        collected.retry ??= outcome.reason === undefined ? {} : { reason: outcome.reason };
        break;
      case "native":
        collected.native = mergedKeys(collected.native ?? {}, outcome.reply);
        break;
      default:
    }
  }
}

function addFailure(scope: EventScope, hook: RegisteredHook, failure: HookFailure, event: AnyEvent): void {
  const { collected, known } = scope;
  const isKnown = collected.failures.some((other) => other.hook === hook);
  if (!isKnown) collected.failures.push({ hook, failure });
  const action = failureAction(scope, hook, failure, event);
  const { reason, user: text } = failureTexts([hook.hook.name], failure);
  if (action === "keep_going") collected.keepGoing.push(reason);
  else if (action !== undefined) collected.verdicts.push({ action, reason, input: subjectOf(event, known) });
  // The caller knows that it cancelled, and a hook that fails in the recheck too is shown once.
  if (isKnown || failure.kind === "cancelled") return;
  const level = action === undefined ? "warning" : "error";
  collected.userMessages.push({ text, level, hook: hook.hook.name });
}

function failureAction(
  { known }: EventScope,
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

function contextItem(
  { text, role = "user", lifetime = "turn", recorded = true, shortened }: CappedContext,
  hook: string,
): ContextItem {
  return { text, hook, role, lifetime, recorded, ...(shortened && { shortened }) };
}
