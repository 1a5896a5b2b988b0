import type { Decision } from "../../core/decide/decision.ts";
import type { FireOptions } from "../../core/decide/event-scope.ts";
import type { EventName } from "../../core/events/event-table.ts";
import type { EventFields } from "../../core/events/payloads.ts";
import { noteRuns } from "../conversation/rollout.ts";
import { afterEnd } from "../loop/interrupt-deadline.ts";
import { mustGoOn, TurnEnded } from "../loop/turn-ended.ts";
import { type AgentSession, emit, type Turn } from "./session.ts";

type Fields<Name extends EventName> = EventFields[Name] & Readonly<Record<string, unknown>>;

/**
 * Fires an event of the turn, and answers at once when nobody looks at it.
 *
 * @throws TurnEnded when a hook ends the run, or the turn was interrupted meanwhile.
 */
export function fire<Name extends EventName>(
  session: AgentSession,
  turn: Turn,
  name: Name,
  fields: Fields<Name>,
  options: FireOptions = turn.firing,
): Decision | Promise<Decision> {
  const decision = ask(session, name, fields, options);
  if (decision instanceof Promise) return heard(session, turn, name, fields, decision);
  noteRuns(session, name, fields, decision);
  if (turn.aborted.already) mustGoOn(turn);
  return decision;
}

async function heard(
  session: AgentSession,
  turn: Turn,
  name: EventName,
  fields: Readonly<Record<string, unknown>>,
  deciding: Promise<Decision>,
): Promise<Decision> {
  const decision = noteRuns(session, name, fields, await deciding);
  if (decision.user_messages.length > 0) show(session, decision);
  if (decision.abort !== undefined) throw endedBy(decision.abort, name);
  if (turn.aborted.already) mustGoOn(turn);
  return decision;
}

/**
 * Fires an event of the present turn that must be heard whatever became of it: the second of a pair, or news of its end.
 * A hook that ends the run ends the turn, and what is under way is still brought to its end. See {@link afterEnd}.
 */
export function fireAnyway<Name extends EventName>(
  session: AgentSession,
  name: Name,
  fields: Fields<Name>,
  options: FireOptions,
): Decision | Promise<Decision> {
  const { turn } = session;
  const deciding = askAnyway(session, name, fields, options);
  return deciding instanceof Promise
    ? deciding.then((decision) => heardAnyway(session, turn, name, fields, decision))
    : heardAnyway(session, turn, name, fields, deciding);
}

/** The first half of {@link fireAnyway}, for a caller that does the waiting: each function that waits costs as much as a hook. */
export function askAnyway<Name extends EventName>(
  session: AgentSession,
  name: Name,
  fields: Fields<Name>,
  options: FireOptions,
): Decision | Promise<Decision> {
  const { turn } = session;
  const over = turn?.aborted.already === true;
  return ask(session, name, fields, over ? afterEnd(session, turn, options) : options);
}

/** The second half: what hooks did is recorded, what they tell the user shown, and one that ends the run ends the turn. */
export function heardAnyway(
  session: AgentSession,
  turn: Turn | undefined,
  name: EventName,
  fields: Readonly<Record<string, unknown>>,
  decision: Decision,
): Decision {
  noteRuns(session, name, fields, decision);
  if (decision.user_messages.length > 0) show(session, decision);
  if (decision.abort !== undefined) turn?.controller.abort(endedBy(decision.abort, name));
  return decision;
}

/** What goes with an event outside of any turn. Its hooks end with the signal. */
export function betweenTurns(
  { values, hook_limits: limits }: AgentSession,
  signal: AbortSignal | undefined,
): FireOptions {
  return { values, limits, signal };
}

/** Fires an event outside of any turn. What its hooks tell the user is shown; they end with the signal. */
export async function fireBetweenTurns<Name extends EventName>(
  session: AgentSession,
  name: Name,
  fields: Fields<Name>,
  signal?: AbortSignal,
): Promise<Decision> {
  const decision = await decide(session, name, fields, betweenTurns(session, signal));
  show(session, decision);
  return decision;
}

/** Fires an event whose outcome, what hooks tell the user included, the caller handles itself. What they did is recorded. */
export function decide<Name extends EventName>(
  session: AgentSession,
  name: Name,
  fields: Fields<Name>,
  options: FireOptions,
): Decision | Promise<Decision> {
  const deciding = ask(session, name, fields, options);
  if (session.rollout === undefined) return deciding;
  return deciding instanceof Promise
    ? recorded(session, name, fields, deciding)
    : noteRuns(session, name, fields, deciding);
}

/** Fires an event. Its runs are to be noted in the rollout, by whoever waits for the decision. */
export function ask<Name extends EventName>(
  { hooks, identity }: AgentSession,
  name: Name,
  fields: Fields<Name>,
  options: FireOptions,
): Decision | Promise<Decision> {
  return hooks.decide({ name, context: identity, fields }, options);
}

async function recorded(
  session: AgentSession,
  name: EventName,
  fields: Readonly<Record<string, unknown>>,
  deciding: Promise<Decision>,
): Promise<Decision> {
  return noteRuns(session, name, fields, await deciding);
}

/** What ends a turn when a hook wants the run to end. */
export function endedBy({ reason }: NonNullable<Decision["abort"]>, name: EventName): TurnEnded {
  return new TurnEnded("aborted", reason ?? `A hook ended the run on ${name}.`);
}

/** What hooks tell the user. */
export function show(session: AgentSession, { user_messages }: Decision): void {
  for (const { text, level, hook } of user_messages) emit(session, { type: "notice", text, level, hook });
}
