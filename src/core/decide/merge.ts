import { isRecord, sameJson } from "../base/json.ts";
import type { Action } from "../events/effects.ts";
import type { NativeKeys } from "../events/outcomes.ts";
import type { Decision } from "./decision.ts";
import { failureTexts } from "./failures.ts";
import type { Collected, FiredEvent, Verdict } from "./fired-event.ts";
import { subjectOf } from "./rewrite.ts";

/** Makes the decision from what was collected. A run that ends gets no keep_going and no hook inputs. */
export function decisionOf(scope: FiredEvent): Decision {
  const { collected } = scope;
  const { verdicts, userMessages } = collected.failures.length > 1 ? joinUntrusted(collected) : collected;
  const { action, reason } = mergeVerdicts(scope, verdicts);
  const decision: { -readonly [Key in keyof Decision]: Decision[Key] } = {
    action,
    ...(reason === undefined ? {} : { reason }),
    context: collected.context,
    user_messages: userMessages,
    hook_inputs: collected.hookInputs,
    runs: collected.runs,
  };
  if (scope.rewritten.length > 0) Object.assign(decision, rewrittenFields(scope));
  if (collected.ceiling !== undefined) decision.ceiling = collected.ceiling;
  if (collected.native !== undefined) decision.native = collected.native;
  const answered = action === "deny" ? undefined : countingAnswer(scope);
  if (answered !== undefined) decision.answer = answered.value;
  if (collected.timeLimit !== undefined) decision.time_limit = collected.timeLimit;
  if (collected.abort !== undefined) return { ...decision, abort: collected.abort, hook_inputs: [] };
  if (collected.keepGoing.length > 0) decision.keep_going = { reason: collected.keepGoing.join("\n") };
  if (collected.retry !== undefined) decision.retry = collected.retry;
  return decision;
}

/** The first answer to what the event is about now: one that was given before a rewrite answers another call. */
function countingAnswer({ event, known, collected }: FiredEvent): Collected["answers"][number] | undefined {
  const [first] = collected.answers;
  if (first === undefined || known.rewrites.length === 0) return first;
  const subject = subjectOf(event, known);
  return collected.answers.find(({ input }) => sameJson(input, subject));
}

/** From weak to strong. */
export const ACTION_RANK: Readonly<Record<Action, number>> = { continue: 0, allow: 1, ask: 2, deny: 3 };

/** The strongest action and its reasons, each once, one a line. An allow counts only for the input it was given to. */
function mergeVerdicts(
  { event, known }: FiredEvent,
  verdicts: readonly Verdict[],
): { readonly action: Action; readonly reason?: string } {
  const counting = verdicts.filter(
    ({ action, input }) => action !== "allow" || sameJson(input, subjectOf(event, known)),
  );
  let strongest: Action = "continue";
  for (const { action } of counting) if (ACTION_RANK[action] > ACTION_RANK[strongest]) strongest = action;
  const reasons = new Set<string>();
  for (const { action, reason } of counting) if (action === strongest && reason) reasons.add(reason);
  return reasons.size === 0 ? { action: strongest } : { action: strongest, reason: [...reasons].join("\n") };
}

function rewrittenFields({ known, event, rewritten }: FiredEvent): Partial<Decision> {
  const original = rewritten[0]?.event ?? event;
  return Object.fromEntries(
    known.rewrites
      .filter(([field, name]) => name !== "output" || !sameJson(event[field], original[field]))
      .map(([field, name]) => [name, event[field]])
      .filter(([, value]) => value !== undefined),
  );
}

/** Joins the keys of two hooks: lists are joined too; of other values the later counts. */
export function mergedKeys(before: NativeKeys, after: NativeKeys): NativeKeys {
  const merged: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (isRecord(old) && isRecord(value)) merged[key] = mergedKeys(old, value);
    else merged[key] = Array.isArray(old) && Array.isArray(value) ? [...old, ...value] : value;
  }
  return merged;
}

/**
 * Says once what untrusted hooks have in common: one line of a file brings all the hooks of a pack, and until it is
 * trusted each of them refuses for the same reason.
 */
function joinUntrusted(collected: Collected): Pick<Collected, "verdicts" | "userMessages"> {
  const untrusted = collected.failures
    .filter(({ failure }) => failure.kind === "untrusted")
    .map(({ hook, failure }) => ({ name: hook.hook.name, failure }));
  if (untrusted.length < 2) return collected;
  const namesByMessage = new Map<string, string[]>(untrusted.map(({ failure }) => [failure.message, []]));
  for (const { name, failure } of untrusted) namesByMessage.get(failure.message)?.push(name);
  const joined = new Map<string | undefined, string>();
  for (const { name, failure } of untrusted) {
    const one = failureTexts([name], failure);
    const all = failureTexts(namesByMessage.get(failure.message) ?? [], failure);
    joined.set(one.reason, all.reason).set(one.user, all.user);
  }
  const seen = new Set<string>();
  return {
    // Merging verdicts drops repeated reasons.
    verdicts: collected.verdicts.map((verdict) => ({
      ...verdict,
      reason: joined.get(verdict.reason) ?? verdict.reason,
    })),
    userMessages: collected.userMessages.flatMap((message) => {
      const text = joined.get(message.text);
      if (text === undefined) return [message];
      if (seen.has(text)) return [];
      seen.add(text);
      return [{ ...message, text }];
    }),
  };
}
