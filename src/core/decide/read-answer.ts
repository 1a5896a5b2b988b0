import { ignore } from "../base/error-text.ts";
import { frozenJson, isRecord } from "../base/json.ts";
import { didYouMean } from "../base/suggest.ts";
import { capText } from "../base/text.ts";
import { optionsFault } from "../contracts/questions.ts";
import type { Effect } from "../events/effects.ts";
import { isHookFailure } from "../events/hook-failure-error.ts";
import { effectAllowed, type KnownEvent } from "../events/known-events.ts";
import type { Outcome } from "../events/outcomes.ts";
import type { AnyEvent } from "../events/payloads.ts";
import { failureMode, type RegisteredHook } from "../registration/registered-hook.ts";
import { capContext } from "./cap-text.ts";
import type { HookFailure } from "./decision.ts";
import { failureOf, managerLine } from "./failures.ts";
import { type HookAnswer, type HookCall, NO_ANSWER } from "./hook-call.ts";
import { resolveRewrite } from "./rewrite.ts";

/** Reads what a hook returned. Never throws. */
export function readAnswer(value: unknown, call: HookCall): HookAnswer {
  if (value === undefined) return NO_ANSWER;
  try {
    return read(value, call);
  } catch (error) {
    return readThrown(error, call);
  }
}

/** Reads what a hook threw: how it failed, and what it refused all the same. */
export function readThrown(error: unknown, call: HookCall): HookAnswer {
  const failure = failureOf(error, call.scope.options.signal);
  const isLetPass = failureMode(call.hook.hook, call.known.row, failure.kind) === "open";
  if (isHookFailure(error) && error.outcomes.length > 0 && isLetPass) {
    const answer = read(error.outcomes, call);
    return { ...answer, failure: answer.failure ?? failure };
  }
  if (!isHookFailure(error) || error.refusals.length === 0) return failedAnswer(failure);
  return failedAnswer(failure, read(error.refusals.filter(refuses), call));
}

/** The answer of a hook that failed: its refusals still count, the rest is dropped. */
export function failedAnswer(
  failure: HookFailure,
  { outcomes }: Pick<HookAnswer, "outcomes"> = NO_ANSWER,
): HookAnswer {
  return { outcomes: outcomes.filter(refuses), rewritten: undefined, failure };
}

function read(value: unknown, call: HookCall): HookAnswer {
  const { event, known, hook } = call;
  const { engine, options } = call.scope;
  const { context_characters: cap } = { ...engine.limits, ...options.limits };
  const reply = readReply(value, known, event, permission(hook));
  const outcomes = reply.outcomes
    .filter((outcome) => outcome.type !== "allow" || mayAllow(call))
    .map((outcome) => (outcome.type === "context" ? capContext(outcome, call, cap) : capTexts(outcome, cap)))
    .map((outcome) => signed(outcome, hook));
  if (reply.problem !== undefined)
    return failedAnswer({ kind: "bad_output", message: reply.problem }, { outcomes });
  if (!outcomes.some((outcome) => outcome.type === "rewrite"))
    return { outcomes, rewritten: undefined, failure: undefined };
  const original = call.scope.rewritten[0]?.event ?? event;
  const rewritten = resolveRewrite(outcomes, event, known, original);
  if ("problem" in rewritten)
    return failedAnswer({ kind: rewritten.kind, message: rewritten.problem }, { outcomes });
  return { outcomes, rewritten, failure: undefined };
}

/** Caps the text of an outcome, so that no model, record or observer gets more. */
function capTexts(outcome: Outcome, cap: number): Outcome {
  if ("text" in outcome && outcome.text.length > cap) return { ...outcome, text: capText(outcome.text, cap) };
  if ("reason" in outcome && outcome.reason !== undefined && outcome.reason.length > cap)
    return { ...outcome, reason: capText(outcome.reason, cap) };
  return outcome;
}

function signed(outcome: Outcome, hook: RegisteredHook): Outcome {
  const by = managerLine(hook);
  if (by === "" || !refuses(outcome)) return outcome;
  return { ...outcome, reason: `${outcome.reason ?? ""}${by}`.trimStart() };
}

/** A hook that matched one command of a line may not permit the others. */
function mayAllow({ hook, event }: HookCall): boolean {
  if (hook.covers === undefined) return true;
  try {
    return hook.covers(event);
  } catch {
    return false;
  }
}

function permission({ hook }: RegisteredHook): Permission {
  if (hook.observe) return "watch";
  return hook.async ? "add" : "decide";
}

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
  time_limit: ({ seconds }) =>
    typeof seconds === "number" && seconds > 0 ? undefined : "its seconds are not a number above 0",
  retry: (outcome) =>
    optionalReason(outcome) ??
    (outcome.times === undefined || (Number.isInteger(outcome.times) && Number(outcome.times) >= 1)
      ? undefined
      : "its times are not a whole number of 1 or more"),
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

const REFUSING = ["deny", "ask", "abort", "keep_going"] as const satisfies readonly Effect[];

/** True for an outcome that refuses; on a stop, keep_going does. */
export function refuses(outcome: Outcome): outcome is Extract<Outcome, { type: (typeof REFUSING)[number] }> {
  return REFUSING.some((type) => type === outcome.type);
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
