import type { Clock } from "../../../core/base/clock.ts";
import { isRecord } from "../../../core/base/json.ts";
import type { Decision } from "../../../core/decide/decision.ts";
import type { FireOptions } from "../../../core/decide/fired-event.ts";
import type { EventName } from "../../../core/events/event-table.ts";
import type { EventFields } from "../../../core/events/payloads.ts";
import { internals } from "../../../core/internals.ts";
import type { AgentView } from "../../../core/ports.ts";
import { makeEnvFile } from "../../../node/env-file.ts";
import { modelName } from "../../model/agent-model.ts";
import { TurnEnded } from "../../turn-ended.ts";
import { noteRuns } from "./activity.ts";
import { type AgentSession, emit, type InterruptDeadline, type Turn } from "./session.ts";

/** How long all hooks together may run after an interrupt. */
const INTERRUPT_MILLISECONDS = 300;

/** How long Error hooks may run after an interrupt: longer, because they report which of the others timed out. */
const ERROR_MILLISECONDS = 450;

type Fields<Name extends EventName> = EventFields[Name] & Readonly<Record<string, unknown>>;

/**
 * Fires an event of a turn.
 *
 * @throws TurnEnded when a hook ends the run, or the turn is interrupted meanwhile.
 */
export async function fire<Name extends EventName>(
  turn: Turn,
  name: Name,
  fields: Fields<Name>,
  options: FireOptions = turn.firing,
): Promise<Decision> {
  const decision = await decide(turn.session, name, fields, options);
  if (decision.abort !== undefined) throw endedBy(decision.abort, name);
  turn.signal.throwIfAborted();
  return decision;
}

/**
 * Fires an event that hooks must get even if the turn has ended: the second of a pair, or the news of the end. Never
 * throws TurnEnded: a hook that ends the run aborts the current turn, and the caller finishes what it is doing.
 */
export async function fireAnyway<Name extends EventName>(
  session: AgentSession,
  name: Name,
  fields: Fields<Name>,
  options: FireOptions,
): Promise<Decision> {
  const { turn } = session;
  const isOver = turn?.signal.aborted === true;
  const decision = await decide(session, name, fields, isOver ? afterEnd(turn, options) : options);
  if (decision.abort !== undefined) turn?.controller.abort(endedBy(decision.abort, name));
  return decision;
}

/** Fires an event outside of any turn. The signal ends its hooks. */
export function fireBetweenTurns<Name extends EventName>(
  session: AgentSession,
  name: Name,
  fields: Fields<Name>,
  signal?: AbortSignal,
): Promise<Decision> {
  return decide(session, name, fields, betweenTurns(session, signal));
}

/**
 * The options of an event that is fired though its turn has ended. After an interrupt all hooks share one deadline; when
 * a hook ended the turn, they have their usual time until somebody interrupts.
 */
function afterEnd(turn: Turn, options: FireOptions): FireOptions {
  return { ...options, signal: turn.run.aborted ? interruptDeadline(turn).signal : turn.run };
}

/** The deadlines of hooks that run after an interrupt. They begin with the first call, and async hooks need them to the end. */
export function interruptDeadline(turn: Turn): InterruptDeadline {
  const { clock } = turn.session;
  turn.interruptDeadline ??= {
    signal: signalAfter(clock, INTERRUPT_MILLISECONDS),
    errors: signalAfter(clock, ERROR_MILLISECONDS),
  };
  return turn.interruptDeadline;
}

function signalAfter(clock: Clock, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  clock.after(milliseconds, () => controller.abort(new Error("The turn was interrupted.")));
  return controller.signal;
}

export function betweenTurns(session: AgentSession, signal: AbortSignal | undefined): FireOptions {
  const { values, hook_limits: limits } = session;
  return { values, limits, signal, agent: agentView(session) };
}

/** The agent as hooks see it, read when one looks. */
export function agentView(session: AgentSession): AgentView {
  const { identity, conversation } = session;
  const { programs, environment } = session.toolbox;
  return {
    id: identity.agent_id,
    type: identity.agent_type,
    get model() {
      return session.model === undefined ? "" : modelName(session.model);
    },
    get messages() {
      return conversation.seen();
    },
    get env_file() {
      programs.env_file ??= makeEnvFile({ ...environment });
      return programs.env_file;
    },
  };
}

export function endedBy({ reason }: NonNullable<Decision["abort"]>, name: EventName): TurnEnded {
  return new TurnEnded("aborted", reason ?? `A hook ended the run on ${name}.`);
}

/** Asks the hooks, records what they did and shows what they tell the user. */
async function decide(
  session: AgentSession,
  name: EventName,
  fields: Readonly<Record<string, unknown>>,
  options: FireOptions,
): Promise<Decision> {
  const { session_id, agent_id, agent_type, cwd, turn_id, parent_agent_id, transcript_path } =
    session.identity;
  const event: Record<string, unknown> = {
    hook_event_name: name,
    session_id,
    agent_id,
    agent_type,
    cwd,
    turn_id,
    parent_agent_id,
    transcript_path,
    ...fields,
  };
  if (internals(session.hooks).wants(name)) event.usage = usageNow(session, fields);
  const decision = await session.hooks.fireUntyped(event, options);
  const { activity } = session.storage;
  if (activity !== undefined) noteRuns(session, activity, name, fields, decision);
  for (const { text, level, hook } of decision.user_messages)
    if (isNews(session, hook, text)) emit(session, { type: "notice", text, level, hook });
  return decision;
}

/** What our own hooks report of the configuration, which they do at every decision. */
const TOLD = new WeakMap<AgentSession, Map<string, string>>();

/** False for a report that the user has read in this session and that still holds. */
function isNews(session: AgentSession, hook: string | undefined, text: string): boolean {
  if (hook?.startsWith("tenterhook:") !== true) return true;
  const told = TOLD.get(session) ?? new Map<string, string>();
  TOLD.set(session, told);
  if (told.get(hook) === text) return false;
  told.set(hook, text);
  return true;
}

/** What the turn has used so far, or what the event says, and how full the context is. */
function usageNow(session: AgentSession, { usage }: Readonly<Record<string, unknown>>): unknown {
  const used = isRecord(usage) ? usage : session.turn?.usage;
  return used && Object.assign({}, used, session.compaction.context);
}
