import type { Decision } from "../core/decision.ts";
import type { EventFields } from "../core/event-types.ts";
import type { EventName } from "../core/events.ts";
import type { FireOptions } from "../core/fire-scope.ts";
import { endingOf, mustGoOn, TurnEnded } from "./ended.ts";
import { noteRuns } from "./rollout.ts";
import { type AgentSession, emit, type Turn } from "./session.ts";

/** What goes with an event that must be heard though the turn was ended. */
export const UNSTOPPED = { signal: undefined, aborted: undefined };

/** How long hooks of a turn that is over may still be waited for after an interrupt. */
const LAST_WORDS_MILLISECONDS = 300;

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
  const decision = decide(session, name, fields, options);
  if (decision instanceof Promise) return heard(session, turn, name, decision);
  if (turn.aborted.already) mustGoOn(turn);
  return decision;
}

async function heard(
  session: AgentSession,
  turn: Turn,
  name: EventName,
  deciding: Promise<Decision>,
): Promise<Decision> {
  const decision = await deciding;
  if (decision.user_messages.length > 0) show(session, decision);
  if (decision.abort !== undefined)
    throw new TurnEnded("aborted", decision.abort.reason ?? `A hook ended the run on ${name}.`);
  if (turn.aborted.already) mustGoOn(turn);
  return decision;
}

/**
 * Fires an event that must be heard whatever became of the turn: the second of a pair, or news of its end. After an
 * interrupt the signal is not its own, and it is waited for only a moment.
 */
export async function fireAnyway<Name extends EventName>(
  session: AgentSession,
  name: Name,
  fields: Fields<Name>,
  options: FireOptions,
): Promise<Decision> {
  const over = options.signal?.aborted === true;
  const deciding = decide(session, name, fields, over ? { ...options, ...UNSTOPPED } : options);
  const hurried = over && endingOf(undefined, options.signal).reason === "cancelled";
  const decision =
    hurried && deciding instanceof Promise
      ? await within(session, deciding, LAST_WORDS_MILLISECONDS)
      : await deciding;
  if (decision.user_messages.length > 0) show(session, decision);
  return decision;
}

/** Fires an event outside of any turn, or one whose refusal the caller handles itself. What hooks did is recorded. */
export function decide<Name extends EventName>(
  session: AgentSession,
  name: Name,
  fields: Fields<Name>,
  options: FireOptions,
): Decision | Promise<Decision> {
  const { hooks, identity, rollout } = session;
  const deciding = hooks.decide({ name, context: identity, fields }, options);
  if (rollout === undefined) return deciding;
  if (deciding instanceof Promise) return recorded(session, name, fields, deciding);
  if (deciding.runs.length > 0) noteRuns(session, name, fields, deciding);
  return deciding;
}

async function recorded(
  session: AgentSession,
  name: EventName,
  fields: Readonly<Record<string, unknown>>,
  deciding: Promise<Decision>,
): Promise<Decision> {
  const decision = await deciding;
  noteRuns(session, name, fields, decision);
  return decision;
}

/** What hooks tell the user. */
export function show(session: AgentSession, { user_messages }: Decision): void {
  for (const { text, level, hook } of user_messages) emit(session, { type: "notice", text, level, hook });
}

const NOTHING_SAID: Decision = {
  action: "continue",
  context: [],
  user_messages: [],
  hook_inputs: [],
  runs: [],
};

function within(session: AgentSession, deciding: Promise<Decision>, milliseconds: number): Promise<Decision> {
  return new Promise((resolve, reject) => {
    const cancel = session.clock.after(milliseconds, () => resolve(NOTHING_SAID));
    deciding.then(resolve, reject).finally(cancel);
  });
}
