import type { Effect } from "./effects.ts";
import type { KnownEvent } from "./event-catalogue.ts";
import type { AnyEvent } from "./event-types.ts";
import { isRecord } from "./json.ts";
import type { Outcome } from "./outcomes.ts";
import { didYouMean } from "./suggest.ts";

/** What a hook said, and what was wrong with it. */
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

const reasonMayStand: Shape = ({ reason }) =>
  reason === undefined || typeof reason === "string" ? undefined : "its reason is not a text";
const textMustStand: Shape = ({ text }) => (typeof text === "string" ? undefined : "its text is missing");

/** One row for each outcome: what must be true of it. */
const SHAPES: Readonly<Record<Effect, Shape>> = {
  allow: reasonMayStand,
  ask: reasonMayStand,
  deny: reasonMayStand,
  rewrite: (outcome) => ("next" in outcome && outcome.next !== undefined ? undefined : "it has no new value"),
  context: (outcome) =>
    textMustStand(outcome) ??
    mustBe(outcome, "role", [undefined, "user", "system"]) ??
    mustBe(outcome, "lifetime", [undefined, "request", "turn", "session"]) ??
    mustBe(outcome, "recorded", [undefined, true, false]),
  keep_going: ({ reason }) =>
    typeof reason === "string" && reason.trim() !== ""
      ? undefined
      : "it has no reason, and the agent needs one",
  answer: (outcome) => (outcome.answer === undefined ? "it has no answer" : undefined),
  retry: reasonMayStand,
  hook_input: textMustStand,
  user_message: (outcome) =>
    textMustStand(outcome) ?? mustBe(outcome, "level", [undefined, "info", "warning", "error"]),
  abort: reasonMayStand,
};

/**
 * Reads what a hook returned: nothing, one outcome or a list. A list with a fault keeps the parts that refuse (deny,
 * ask, abort), so that a hook that got something wrong can still say no.
 */
export function readReply(value: unknown, known: KnownEvent, event: AnyEvent, may: Permission): Reply {
  if (value === undefined || value === null) return NOTHING;
  const outcomes: Outcome[] = [];
  let problem: string | undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const onFault = (fault: string): void => {
    problem ??= fault;
  };
  for (const item of items) {
    if (item === undefined || item === null) continue;
    if (isOutcome(item, known, event, may, onFault)) outcomes.push(item);
  }
  if (problem === undefined) return { outcomes };
  return { outcomes: outcomes.filter(refuses), problem };
}

/** True for an outcome that can only make things stricter. */
export function refuses(outcome: Outcome): boolean {
  return outcome.type === "deny" || outcome.type === "ask" || outcome.type === "abort";
}

function isOutcome(
  item: unknown,
  known: KnownEvent,
  event: AnyEvent,
  may: Permission,
  onFault: (fault: string) => void,
): item is Outcome {
  const fault = faultOf(item, known, event, may);
  if (fault !== undefined) onFault(fault);
  return fault === undefined;
}

function faultOf(item: unknown, known: KnownEvent, event: AnyEvent, may: Permission): string | undefined {
  const effects: readonly string[] = Object.keys(SHAPES);
  if (!isRecord(item) || typeof item.type !== "string") {
    return `it returned ${shown(item)}; expected nothing or what deny(), rewrite(), context() and the like make`;
  }
  if (!isEffect(item.type))
    return `it returned an outcome of the unknown type ${JSON.stringify(item.type)}.${didYouMean(item.type, effects)}`;
  const type = item.type;
  if (may !== "decide") {
    const heard = type === "user_message" || (may === "add" && type === "context");
    return heard ? shapeFault(item, type) : `it returned ${type}, but ${NO_DECISION[may]}`;
  }
  const condition = known.row.only_when?.[type];
  if (!known.allowed.has(type) || (condition !== undefined && event[condition] !== true)) {
    return `it returned ${type}, which ${known.name} does not allow (it allows ${[...known.allowed].join(", ")})`;
  }
  return shapeFault(item, type);
}

function shapeFault(item: Readonly<Record<string, unknown>>, type: Effect): string | undefined {
  const fault = SHAPES[type](item);
  return fault === undefined ? undefined : `it returned ${type}, but ${fault}`;
}

function isEffect(type: string): type is Effect {
  return Object.hasOwn(SHAPES, type);
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
