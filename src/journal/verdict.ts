import { isRecord } from "../core/base/json.ts";
import type { PersonAnswer } from "../core/contracts/approval.ts";
import type { HookOutcome, HookRun } from "../core/decide/decision.ts";
import type { Action } from "../core/events/effects.ts";
import { inWords } from "../shared/call-text.ts";
import { personAnswerText } from "../shared/person-answer.ts";
import type { JournalRecord } from "./record.ts";

/** What a hook or all of them together can say, the strongest first. */
export const VERDICTS = [
  "deny",
  "end",
  "ask",
  "keep-going",
  "rewrite",
  "answer",
  "time-limit",
  "retry",
  "context",
  "allow",
  "continue",
] as const;

export type Verdict = (typeof VERDICTS)[number];

/** What was said, the strongest first, each with its reason where it has one. */
export type Said = readonly (readonly [verdict: Verdict, reason: string | undefined])[];

/** The fields of a decision that replace a part of its event; in an outcome there is `rewrite` alone. */
const REWRITTEN = ["rewrite", "input", "output", "error", "prompt", "result"];

/** What one hook said; never empty. Text that joins or starts a turn is context, too. */
export function saidBy({ context = [], hook_inputs = [], ...outcome }: HookOutcome): Said {
  return saidIn({ ...outcome, context: [...context, ...hook_inputs] });
}

/** What all hooks of a recorded event said together, or a program around a turn alone; never empty. */
export function decidedIn({ type, decision, runs }: JournalRecord): Said {
  const alone = type === "run" ? runs.find(({ async }) => async !== true) : undefined;
  return alone?.outcome === undefined ? saidIn({ ...decision }) : saidBy(alone.outcome);
}

function saidIn(fields: Readonly<Record<string, unknown>>): Said {
  const { action, abort, keep_going, answer, time_limit, retry, context } = fields;
  const reason = textOf(fields.reason);
  const said = new Map<Verdict, string | undefined>();
  if (action === "deny" || action === "ask" || action === "allow") said.set(action, reason);
  if (abort !== undefined) said.set("end", textOf(abort) ?? reason);
  if (keep_going !== undefined) said.set("keep-going", textOf(keep_going) ?? reason);
  if (REWRITTEN.some((key) => fields[key] !== undefined)) said.set("rewrite", reason);
  if (answer !== undefined) said.set("answer", inWords(answer));
  if (time_limit !== undefined) said.set("time-limit", `${time_limit} s`);
  if (retry !== undefined) said.set("retry", textOf(retry) ?? reason);
  if (Array.isArray(context) && context.length > 0)
    said.set("context", context.map((one) => textOf(one) ?? "").join(" "));
  if (said.size === 0) said.set("continue", reason);
  return VERDICTS.flatMap((verdict) => (said.has(verdict) ? [[verdict, said.get(verdict)] as const] : []));
}

/** A text, or that of an object which holds one. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return isRecord(value) ? (textOf(value.reason) ?? textOf(value.text)) : undefined;
}

/** True when a hook said something, failed, or would have said something. */
export function hasSomething({ runs, decision }: JournalRecord): boolean {
  return runs.some(hasResult) || decision?.keep_going !== undefined;
}

export function hasResult({ outcome, failure, would }: HookRun): boolean {
  return outcome !== undefined || failure !== undefined || would !== undefined;
}

/** True for what a log shows: somebody said something about it, or something came of it. */
export function isTelling(record: JournalRecord): boolean {
  return isLater(record) || record.happened !== undefined || hasSomething(record);
}

/** True for a record that says what came of a call which others are about: it was refused, or a person has answered. */
export function isLater(record: JournalRecord): boolean {
  return isRefusal(record) || isPersonAnswer(record.event.approval);
}

/** True for a record of a call that was refused, by whatever. */
export function isRefusal({ event }: JournalRecord): boolean {
  return event.hook_event_name === "PermissionDenied";
}

/** The last word about a recorded event: that of the hooks, unless something else came of it. */
export function finalAction({ decision, happened }: JournalRecord): Action {
  if (happened !== undefined) return happened.action;
  return decision?.abort === undefined ? (decision?.action ?? "continue") : "deny";
}

/** Of what a call came to, by the records after the decision about it. */
export function laterOutcome({ event }: JournalRecord): JournalRecord["happened"] {
  const { hook_event_name: name, reason, by, approval } = event;
  const person = isPersonAnswer(approval) ? { person: approval } : {};
  if (name === "PostToolUse" || name === "PostToolUseFailure")
    return { action: "allow", reason: "Allowed: it ran.", ...person };
  if (name !== "PermissionDenied") return undefined;
  const who = typeof by === "string" ? `Refused by ${by === "user" ? "the user" : by}` : "Refused";
  return { action: "deny", reason: typeof reason === "string" ? reason : `${who}.`, ...person };
}

function isPersonAnswer(value: unknown): value is PersonAnswer {
  return isRecord(value) && typeof value.by === "string";
}

/** What came of a call, for people: what a person has answered, or another reason; `undefined` when nothing did. */
export function happenedText(record: JournalRecord): string | undefined {
  const { event, machine } = record;
  const happened = record.happened ?? (isLater(record) ? laterOutcome(record) : undefined);
  if (happened?.person === undefined) return happened?.reason;
  const isQuestion = event.tool_name === "AskUserQuestion" && happened.action === "allow";
  const done = isQuestion ? "answered" : happened.action === "deny" ? "refused" : "allowed";
  return personAnswerText(done, happened.person, machine);
}
