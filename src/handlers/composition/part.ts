import { failureOf } from "../../core/decide/failures.ts";
import { readReply } from "../../core/decide/read-answer.ts";
import { resolveRewrite, withSubject } from "../../core/decide/rewrite.ts";
import { EFFECTS } from "../../core/events/effects.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { EventCatalogue, type KnownEvent, ownEvent, rememberOwn } from "../../core/events/known-events.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler, HookContext } from "../../core/ports.ts";
import { raceAbort } from "../../node/process/deadline.ts";

export interface Part {
  /** As in `part 2 (http)`. */
  readonly label: string;
  readonly handler: Handler;
}

export interface PartAnswer {
  readonly outcomes: readonly Outcome[];
  /** The event as the part rewrote it, or the same object. */
  readonly event: AnyEvent;
  readonly failure?: HookFailureError;
}

/** Asks a part. Never throws: an error becomes the failure of its answer, with what the part refused. */
export async function askPart(
  { label, handler }: Part,
  event: AnyEvent,
  context: HookContext,
): Promise<PartAnswer> {
  try {
    context.signal.throwIfAborted();
    const known = knownEvent(event);
    const running: Promise<unknown> = Promise.resolve(handler.run(event, context));
    // A part that can't be ended must not delay the others.
    const reply: unknown = await (handler.tidies === true ? running : raceAbort(running, context.signal));
    const { outcomes, problem } = readReply(reply, known, event, "decide");
    if (problem !== undefined) throw new HookFailureError("bad_output", problem, { refusals: outcomes });
    // The input is final then: every part is to judge it, and none the change that another one would make again.
    if (context.recheck === true)
      return { outcomes: outcomes.filter(({ type }) => type !== "rewrite"), event };
    if (!outcomes.some(({ type }) => type === "rewrite")) return { outcomes, event };
    const rewritten = resolveRewrite(outcomes, event, known, event);
    if ("problem" in rewritten)
      throw new HookFailureError(rewritten.kind, rewritten.problem, { refusals: outcomes });
    const changed = withSubject(event, known, rewritten.after);
    rememberOwn(changed, known);
    return { outcomes, event: changed };
  } catch (error) {
    const { kind, message } = failureOf(error, context.signal);
    const refusals = error instanceof HookFailureError ? error.refusals : [];
    return { outcomes: [], event, failure: new HookFailureError(kind, `${label}: ${message}`, { refusals }) };
  }
}

const CATALOGUE = new EventCatalogue();

/** What an event allows. An unknown event allows everything here, since the engine checks again. */
function knownEvent(event: AnyEvent): KnownEvent {
  const { hook_event_name: name } = event;
  const known = ownEvent(event) ?? CATALOGUE.find(name);
  if (known !== undefined) return known;
  CATALOGUE.declare(name, { effects: EFFECTS });
  return knownEvent(event);
}
