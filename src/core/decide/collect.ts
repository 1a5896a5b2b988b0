import type { DecisionOption } from "../contracts/monitor.ts";
import { readOptions } from "../contracts/questions.ts";
import type { ContextItem } from "../events/outcomes.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { RegisteredHook } from "../registration/registered-hook.ts";
import type { Pending } from "../session/state.ts";
import type { CappedContext } from "./cap-text.ts";
import type { Decision, HookRun } from "./decision.ts";
import type { EventScope, Verdict } from "./event-scope.ts";
import { addFailure } from "./failures.ts";
import type { HookCall } from "./hook-call.ts";
import { mergedKeys, recordRun } from "./record.ts";
import { subjectOf } from "./rewrite.ts";

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
export function addPending(scope: EventScope, pending: Pending): void {
  const { session, known, collected } = scope;
  const { messages, abort, context } = pending;
  collected.userMessages.push(...messages);
  const endsRun = abort !== undefined && known.allowed.has("abort");
  if (endsRun) addAbort(scope, abort);
  const takesContext = known.allowed.has("context");
  if (takesContext) collected.context.push(...context);
  const left = { messages: [], abort: endsRun ? undefined : abort, context: takesContext ? [] : context };
  session.pending = left.abort === undefined && left.context.length === 0 ? undefined : left;
}

/** Ends the run; on a gate that is a refusal too. */
export function addAbort({ collected, known }: EventScope, abort: NonNullable<Decision["abort"]>): void {
  collected.abort ??= abort;
  if (known.row.gate) collected.verdicts.push({ action: "deny", reason: abort.reason });
}

/** True when a hook has refused, or ended the run. */
export function hasRefused({ collected }: EventScope): boolean {
  return collected.abort !== undefined || collected.verdicts.some(({ action }) => action === "deny");
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
        ...(outcome.type === "allow" && allowed(call)),
      };
      collected.verdicts.push(verdict);
      if (options.length > 0) collected.choices.push({ hook, reason: outcome.reason, options, verdict });
    } else if (outcome.type === "abort") {
      addAbort(scope, outcome.reason === undefined ? {} : { reason: outcome.reason });
    }
  }
}

/** What a hook permits: a hook that permits and rewrites in one answer permits what it wrote. */
function allowed({ scope, event, answer: { rewritten } }: HookCall): Pick<Verdict, "input"> {
  return { input: rewritten === undefined ? subjectOf(event, scope.known) : rewritten.after };
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

function contextItem(
  { text, role = "user", lifetime = "turn", recorded = true, shortened }: CappedContext,
  hook: string,
): ContextItem {
  return { text, hook, role, lifetime, recorded, ...(shortened && { shortened }) };
}
