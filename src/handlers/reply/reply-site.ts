import { isRecord } from "../../core/base/json.ts";
import type { Effect } from "../../core/events/effects.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { effectAllowed, type KnownEvent, ownEvent, TABLE_EVENTS } from "../../core/events/known-events.ts";
import { abort, context, deny, keepGoing, type Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";

export interface ReplySite {
  readonly event: AnyEvent;
  readonly name: string;
  /** `undefined` for an event that is neither in the table nor declared. */
  readonly known: KnownEvent | undefined;
  /** True for a program written for Claude Code: what means nothing there means nothing here. */
  readonly lenient: boolean;
}

export function replySite(event: AnyEvent, lenient = false): ReplySite {
  return {
    event,
    lenient,
    name: event.hook_event_name,
    known: TABLE_EVENTS.get(event.hook_event_name) ?? ownEvent(event),
  };
}

/** An unknown event counts as a gate. */
export function isGate({ known }: ReplySite): boolean {
  return known?.row.gate ?? true;
}

export function allows({ event, known }: ReplySite, effect: Effect): boolean {
  return known === undefined || effectAllowed(known, event, effect);
}

/** Returns the outcome when the event allows it; `by` is the key that asks for it. */
export function allowed(site: ReplySite, outcome: Outcome, by: string): readonly Outcome[] {
  if (allows(site, outcome.type)) return [outcome];
  if (site.lenient) return [];
  const can = [...(site.known?.allowed ?? [])].join(", ");
  throw badOutput(`${by} asks for ${outcome.type}, which ${site.name} does not allow (it allows ${can}).`);
}

/** A refusal on this event: a deny or its replacement; `undefined` where nothing can be refused. */
export function refusal(site: ReplySite, reason: string | undefined): Outcome | undefined {
  if (allows(site, "deny")) return deny(reason);
  const instead = site.known?.row.refused_by;
  if (instead === undefined) return undefined;
  return INSTEAD[instead](reason ?? (site.lenient ? NO_REASON : undefined));
}

/** What Claude Code says in place of a reason. */
const NO_REASON = "Blocked by hook";

const INSTEAD = {
  keep_going: (reason: string | undefined) => {
    if (reason === undefined || reason.trim() === "")
      throw badOutput(
        "It keeps the agent going but gives no reason; the reason is what the agent reads next.",
      );
    return keepGoing(reason);
  },
  context: (reason: string | undefined) => context(reason ?? "A hook objects to this, without a reason."),
  abort: (reason: string | undefined) => abort(reason),
} as const;

/** The names a reply may use for its event: ours, and that of the agent it came from. */
export function eventNames({ event, name }: ReplySite): readonly string[] {
  const native = isRecord(event.native) ? event.native.hook_event_name : undefined;
  return typeof native === "string" && native !== name ? [name, native] : [name];
}

export function badOutput(message: string): HookFailureError {
  return new HookFailureError("bad_output", message);
}
