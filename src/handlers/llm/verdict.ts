import { EventCatalogue, effectAllowed } from "../../core/event-catalogue.ts";
import type { AnyEvent } from "../../core/event-types.ts";
import { HookFailureError } from "../../core/hook-failure-error.ts";
import { isRecord } from "../../core/json.ts";
import { context, deny, keepGoing, type Outcome, userMessage } from "../../core/outcomes.ts";
import { capText } from "../../core/text.ts";

/** What a judge must answer. */
export interface Verdict {
  readonly ok: boolean;
  readonly reason: string;
}

/** The shape of a {@link Verdict}, as providers are given it. */
export const VERDICT_SCHEMA = {
  type: "object",
  properties: {
    ok: { type: "boolean", description: "True when the instructions raise no objection." },
    reason: { type: "string", description: "Why not, in one or two sentences. Empty when ok is true." },
  },
  required: ["ok", "reason"],
  additionalProperties: false,
} as const;

const LONGEST_REASON = 2000;
const NO_REASON = "The judge objects and does not say why.";

/**
 * Reads what a judge answered.
 *
 * @throws HookFailureError `bad_output` for anything but `{ ok, reason }`.
 */
export function readVerdict(value: unknown): Verdict {
  if (!isRecord(value) || typeof value.ok !== "boolean" || typeof value.reason !== "string")
    throw badOutput();
  if (Object.keys(value).length > 2) throw badOutput();
  return { ok: value.ok, reason: capText(value.reason, LONGEST_REASON) };
}

/**
 * What a verdict means for an event. No objection lifts nothing: it is no allow. An objection is the strongest thing the
 * event lets a hook say of these: refuse, keep the agent going, tell the model, tell the user.
 */
export function outcomeOf({ ok, reason }: Verdict, event: AnyEvent): Outcome | undefined {
  if (ok) return undefined;
  const why = reason.trim() === "" ? NO_REASON : reason;
  const known = CATALOGUE.find(event.hook_event_name);
  // What events of a caller allow, the engine knows and checks.
  if (known === undefined || effectAllowed(known, event, "deny")) return deny(why);
  if (effectAllowed(known, event, "keep_going")) return keepGoing(why);
  return effectAllowed(known, event, "context") ? context(why) : userMessage(why, "warning");
}

const CATALOGUE = new EventCatalogue();

function badOutput(): HookFailureError {
  return new HookFailureError(
    "bad_output",
    "The judge's answer is no verdict. Expected { ok: true or false, reason: a text } and nothing else.",
  );
}
