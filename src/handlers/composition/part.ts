import { checkKeys } from "../../core/base/check-options.ts";
import { atPlace, isTenterhookError, TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { didYouMean } from "../../core/base/suggest.ts";
import { failureOf } from "../../core/decide/failures.ts";
import { readReply } from "../../core/decide/outcomes.ts";
import { resolveRewrite, withSubject } from "../../core/decide/rewrite.ts";
import { EFFECTS } from "../../core/events/effects.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { EventCatalogue, type KnownEvent, ownEvent, rememberOwn } from "../../core/events/known-events.ts";
import type { Outcome } from "../../core/events/outcomes.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Handler, HookContext } from "../../core/ports.ts";
import { HANDLER_TYPES, type HandlerSetting, type HandlerSettings, handlerType } from "../handler-types.ts";

/** One handler of several. */
export interface Part {
  /** How messages call it: `part 2 (http)`. */
  readonly label: string;
  readonly handler: Handler;
}

/** What a part said to an event. */
export interface PartAnswer {
  readonly outcomes: readonly Outcome[];
  /** The event as the part left it; the very one it was asked about when it changed nothing. */
  readonly event: AnyEvent;
  readonly failure?: HookFailureError;
}

/**
 * Makes a part of a composition as a file holds it: the keys of a handler and its type. Its name and what its failures
 * mean are those of the whole.
 *
 * @throws TenterhookError that names the part and what is wrong with it.
 */
export async function makePart(
  settings: unknown,
  at: number,
  { name, on_failure }: HandlerSettings,
  setting: HandlerSetting,
): Promise<Part> {
  const number = `part ${at + 1}`;
  const type = isRecord(settings) ? settings.type : undefined;
  const row = handlerType(type);
  if (!isRecord(settings) || row === undefined) {
    const types = [...HANDLER_TYPES.keys()];
    throw new TenterhookError(
      "invalid_definition",
      `${number} has no type ${JSON.stringify(type)}.${didYouMean(String(type), types)}`,
      { hint: `A part is a handler with its type: ${types.join(", ")}.` },
    );
  }
  const label = `${number} (${type})`;
  checkKeys(settings, ["type", ...row.keys], label);
  try {
    return { label, handler: await row.make({ ...settings, name, on_failure }, setting) };
  } catch (error) {
    throw isTenterhookError(error) ? atPlace(error, label) : error;
  }
}

/** Asks a part. Never throws: whatever goes wrong is the failure of its answer, beside what it refuses all the same. */
export async function askPart(
  { label, handler }: Part,
  event: AnyEvent,
  context: HookContext,
): Promise<PartAnswer> {
  try {
    context.signal.throwIfAborted();
    const known = knownEvent(event);
    const said = await untilEnded(handler.run(event, context), handler, context.signal);
    const { outcomes, problem } = readReply(said, known, event, "decide");
    if (problem !== undefined) throw new HookFailureError("bad_output", problem, { refusals: outcomes });
    // The input is final then: every part is to judge it, and none the change that another one would make again.
    if (context.recheck === true)
      return { outcomes: outcomes.filter(({ type }) => type !== "rewrite"), event };
    if (!outcomes.some(({ type }) => type === "rewrite")) return { outcomes, event };
    const rewritten = resolveRewrite(outcomes, event, known);
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

/** What an event allows. The engine checks it again, so one that no hook set asks about allows everything here. */
function knownEvent(event: AnyEvent): KnownEvent {
  const { hook_event_name: name } = event;
  const known = ownEvent(event) ?? CATALOGUE.find(name);
  if (known !== undefined) return known;
  CATALOGUE.declare(name, { effects: EFFECTS });
  return knownEvent(event);
}

/** A part that can't be ended must not hold up one that can, nor the whole. */
function untilEnded(said: unknown, { tidies }: Handler, signal: AbortSignal): unknown {
  if (tidies === true) return said;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    Promise.resolve(said)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}
