import { ignore } from "../base/error-text.ts";
import { frozenJson, isRecord } from "../base/json.ts";
import { didYouMean } from "../base/suggest.ts";
import { optionsFault, readOptions } from "../contracts/questions.ts";
import type { Action, Effect } from "../events/effects.ts";
import { effectAllowed, type KnownEvent } from "../events/known-events.ts";
import type { NativeKeys, Outcome } from "../events/outcomes.ts";
import type { AnyEvent } from "../events/payloads.ts";
import type { HookOutcome } from "./decision.ts";

/** What a hook returned, and what is wrong with it. */
export interface Reply {
  readonly outcomes: readonly Outcome[];
  /** The first thing that is not an outcome, or not one this hook may have here. */
  readonly problem?: string;
}

/** What a hook may do: decide, only add context (async hooks), or only watch (observers). */
export type Permission = "decide" | "add" | "watch";

const NO_DECISION = {
  add: "an async hook can only add context",
  watch: "an observer can't decide anything",
} as const;

const NOTHING: Reply = { outcomes: [] };

type Shape = (outcome: Readonly<Record<string, unknown>>) => string | undefined;

const optionalReason: Shape = ({ reason }) =>
  reason === undefined || typeof reason === "string" ? undefined : "its reason is not a string";
const requiredText: Shape = ({ text }) => (typeof text === "string" ? undefined : "its text is missing");

/** One row for each outcome: what must be true of it. */
const SHAPES: Readonly<Record<Effect, Shape>> = {
  allow: optionalReason,
  ask: (outcome) => optionalReason(outcome) ?? optionsFault(outcome.options),
  deny: optionalReason,
  rewrite: (outcome) => ("next" in outcome && outcome.next !== undefined ? undefined : "it has no new value"),
  context: (outcome) =>
    requiredText(outcome) ??
    mustBe(outcome, "role", [undefined, "user", "system"]) ??
    mustBe(outcome, "lifetime", [undefined, "request", "turn", "session"]) ??
    mustBe(outcome, "recorded", [undefined, true, false]),
  keep_going: ({ reason }) =>
    typeof reason === "string" && reason.trim() !== ""
      ? undefined
      : "it has no reason, and the agent needs one",
  answer: ({ answer }) => {
    if (answer === undefined) return "it has no answer";
    return isJson(answer) ? undefined : "its answer is not plain JSON data";
  },
  retry: optionalReason,
  hook_input: requiredText,
  user_message: (outcome) =>
    requiredText(outcome) ?? mustBe(outcome, "level", [undefined, "info", "warning", "error"]),
  abort: optionalReason,
  native: ({ reply }) => (isRecord(reply) && isJson(reply) ? undefined : "its reply is not a JSON object"),
};

/**
 * Reads what a hook returned: nothing, one outcome or a list. An invalid answer still refuses: its deny, ask, abort and
 * keep going count.
 */
export function readReply(value: unknown, known: KnownEvent, event: AnyEvent, may: Permission): Reply {
  if (value === undefined || value === null) return NOTHING;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const outcomes: Outcome[] = [];
  let problem: string | undefined;
  for (const item of items) {
    if (item === undefined || item === null) continue;
    ignore(item);
    const read = readOutcome(item, known, event, may);
    if (typeof read === "string") problem ??= read;
    else outcomes.push(read.outcome);
    if (typeof read !== "string") problem ??= read.problem;
  }
  if (problem === undefined) return { outcomes };
  return { outcomes: outcomes.filter(refuses), problem };
}

const REFUSING: readonly Effect[] = ["deny", "ask", "abort", "keep_going"];

/** True for an outcome that refuses; on a stop, keep_going does. */
export function refuses(outcome: Outcome): boolean {
  return REFUSING.includes(outcome.type);
}

/** One outcome, perhaps with what is wrong with it; or what makes it none. */
function readOutcome(
  item: unknown,
  known: KnownEvent,
  event: AnyEvent,
  may: Permission,
): { readonly outcome: Outcome; readonly problem?: string } | string {
  if (!isRecord(item) || typeof item.type !== "string") {
    return `it returned ${shown(item)}; expected nothing or an outcome such as deny(), rewrite() or context()`;
  }
  const { type } = item;
  if (!isEffect(type)) {
    return `it returned an outcome of the unknown type ${JSON.stringify(type)}.${didYouMean(type, Object.keys(SHAPES))}`;
  }
  const forbidden = may === "decide" ? notAllowed(known, event, type) : notPermitted(may, type);
  if (forbidden !== undefined) return `it returned ${type}, ${forbidden}`;
  const fault = SHAPES[type](item);
  if (fault === undefined && isOutcome(item)) return { outcome: item };
  const problem = `it returned ${type}, but ${fault}`;
  return type === "deny" || type === "ask" || type === "abort" ? { outcome: { type }, problem } : problem;
}

/** The shape was looked at: see {@link SHAPES}. */
function isOutcome(item: Readonly<Record<string, unknown>>): item is Outcome & typeof item {
  return isEffect(String(item.type));
}

function notAllowed(known: KnownEvent, event: AnyEvent, type: Effect): string | undefined {
  if (effectAllowed(known, event, type)) return undefined;
  return `which ${known.name} does not allow (it allows ${[...known.allowed].join(", ")})`;
}

function notPermitted(may: Exclude<Permission, "decide">, type: Effect): string | undefined {
  if (type === "user_message" || (may === "add" && type === "context")) return undefined;
  return `but ${NO_DECISION[may]}`;
}

function isEffect(type: string): type is Effect {
  return Object.hasOwn(SHAPES, type);
}

function isJson(value: unknown): boolean {
  try {
    return frozenJson(value) !== undefined;
  } catch {
    return false;
  }
}

function mustBe(
  outcome: Readonly<Record<string, unknown>>,
  field: string,
  values: readonly unknown[],
): string | undefined {
  return values.includes(outcome[field]) ? undefined : `its ${field} can't be ${shown(outcome[field])}`;
}

function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (typeof value === "object" && value !== null)
    return `an object with ${Object.keys(value).slice(0, 8).join(", ") || "no keys"}`;
  return String(value);
}

/** From weak to strong. */
export const ACTION_RANK: Readonly<Record<Action, number>> = { continue: 0, allow: 1, ask: 2, deny: 3 };

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

/** What one hook answered, as plain data for its record; `undefined` for nothing. */
export function summarise(outcomes: readonly Outcome[]): HookOutcome | undefined {
  if (outcomes.length === 0) return undefined;
  const summary: { -readonly [Key in keyof HookOutcome]: HookOutcome[Key] } = { action: "continue" };
  for (const outcome of outcomes) {
    switch (outcome.type) {
      case "allow":
      case "ask":
      case "deny":
        if (ACTION_RANK[outcome.type] <= ACTION_RANK[summary.action]) break;
        summary.action = outcome.type;
        if (outcome.reason === undefined) delete summary.reason;
        else summary.reason = outcome.reason;
        if (outcome.type === "ask" && outcome.options !== undefined)
          summary.options = readOptions(outcome.options).map(({ label }) => label);
        else delete summary.options;
        break;
      case "rewrite":
        summary.rewrite = true;
        break;
      case "context":
        summary.context = [...(summary.context ?? []), outcome.text];
        break;
      case "user_message":
        summary.user_messages = [...(summary.user_messages ?? []), outcome.text];
        break;
      case "keep_going":
        summary.keep_going = outcome.reason;
        break;
      case "answer":
        summary.answer = outcome.answer;
        break;
      case "retry":
        summary.retry = true;
        break;
      case "hook_input":
        summary.hook_inputs = [...(summary.hook_inputs ?? []), outcome.text];
        break;
      case "abort":
        summary.abort = true;
        if (outcome.reason !== undefined) summary.reason ??= outcome.reason;
        break;
      case "native":
        summary.native = mergedKeys(summary.native ?? {}, outcome.reply);
        break;
      default:
        outcome satisfies never;
    }
  }
  return summary;
}
