import { sameJson, withoutUndefined } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { AgentStatus, HeldPrompt } from "../../shared/monitor/monitor.ts";
import { ACTION, ACTION_ENDED, afterAction, afterEnd } from "../report/actions.ts";
import { givenAfter, heldAfter } from "./held.ts";
import { isOtherSession, rowOf, type Transition } from "./transitions.ts";
import { usageAfter } from "./usage.ts";

const MOST_TASK = 2000;

/**
 * An agent after an event. Pure: the same events give the same status, whenever they are read. Returns the same object
 * when the event says nothing new.
 */
export function reduce(status: AgentStatus | undefined, event: MonitorEvent): AgentStatus {
  const row = rowOf(event);
  const begins = row?.begins === true && event.woken_by === undefined;
  const known = withProgress(withFacts(begins ? undefined : status, event, row), event);
  const acted = withNews(withAction(known, event), event);
  const next = row === undefined || !applies(row, status, event) ? acted : moved(acted, row, status, event);
  return withGiven(stillPrompting(next, heldAfter(known, event)), givenAfter(known, event));
}

function moved(
  known: AgentStatus,
  { to, details: detailsIn }: Transition,
  status: AgentStatus | undefined,
  event: MonitorEvent,
): AgentStatus {
  const { agent_id, host, session_id, cwd, pid, process, args, watched, fleet } = known;
  const { transcript_path, output_path, held, given, handled } = known;
  const { task, outcome, attempts, pending, usage, used_before, said, said_before } = known;
  const about = { host, session_id, cwd, pid, process, args, watched, fleet, transcript_path, output_path };
  const facts = {
    ...about,
    held,
    given,
    task,
    outcome,
    attempts,
    pending,
    usage,
    used_before,
    said,
    said_before,
  };
  const lastError = to === "exited" ? errorOf(known) : {};
  const details = { ...lastError, ...detailsIn?.(event) };
  // A repeated state lasts since it began, unless it is about something else now.
  const same = status?.state === to && sameJson(details, detailsOf(status));
  const rest = { agent_id, ...withoutUndefined(facts), state: to, ...details };
  const isOneCause = same || "error_type" in lastError;
  return {
    ...rest,
    since: same ? status.since : event.time,
    ...knownFrom(status, event),
    ...(isOneCause && handled === true ? { handled } : {}),
  };
}

/** Who says what an event reports, and when somebody last said something: what is inferred confirms nothing. */
function knownFrom(status: AgentStatus | undefined, { state_source: source = "hook", time }: MonitorEvent) {
  const confirmed_at = source === "inferred" ? status?.confirmed_at : time;
  return { source, ...withoutUndefined({ confirmed_at }) };
}

/** What says nothing about the state: nothing was heard of an agent, something was heard again, or nobody wants to see it. */
function withNews(status: AgentStatus, event: MonitorEvent): AgentStatus {
  const { type, time, no_news_since } = event;
  if (type === "agent:quiet" && status.state === "working" && no_news_since !== undefined)
    return { ...status, no_news_since };
  if (type === "agent:dismissed") return { ...status, dismissed: true };
  if (type !== "agent:news") return status;
  const { no_news_since: _, ...rest } = status;
  return { ...rest, confirmed_at: time };
}

function applies(
  { from, ends, when }: Transition,
  status: AgentStatus | undefined,
  event: MonitorEvent,
): boolean {
  if (ends === true && isOtherSession(status, event)) return false;
  if (from !== undefined && status !== undefined && !from.includes(status.state)) return false;
  return when?.(status, event) ?? true;
}

/** An agent without a terminal exits right after an error, which stays the cause. */
function errorOf({ error_type, error_message }: AgentStatus) {
  return error_type === undefined ? {} : withoutUndefined({ error_type, error_message });
}

function detailsOf(status: AgentStatus): object {
  const { prompt_type, question, suspended, error_type, error_message } = status;
  const { exit_code, exit_signal, last_output, interrupted, waits_for } = status;
  const asked = { prompt_type, question, suspended };
  const ended = { error_type, error_message, exit_code, exit_signal, last_output, interrupted };
  return withoutUndefined({ ...asked, ...ended, waits_for });
}

/** What an event tells about an agent whatever its type. */
function withFacts(
  status: AgentStatus | undefined,
  event: MonitorEvent,
  row: Transition | undefined,
): AgentStatus {
  const before: AgentStatus = status ?? {
    agent_id: event.agent_id,
    state: "starting",
    since: event.time,
  };
  // The end of an older session says nothing about the present one.
  if (isOtherSession(status, event) && row?.ends === true) return before;
  const { session_id, cwd, host, agent_pid: pid, agent_process: process, agent_args, fleet } = event;
  const { transcript_path, output_path, prompt, type, woken_by } = event;
  const watched = type === "agent:launched" ? (true as const) : undefined;
  const args = woken_by === undefined ? agent_args : undefined;
  const task = type === "agent:turn" && prompt !== undefined ? capText(prompt, MOST_TASK) : undefined;
  const about = { session_id, cwd, host, pid, process, args, watched, fleet, task };
  const facts: Partial<AgentStatus> = {
    ...withoutUndefined({ ...about, transcript_path, output_path }),
    ...usageAfter(before, event),
  };
  const isNews = Object.entries(facts).some(([key, value]) => !sameJson(Reflect.get(before, key), value));
  return isNews ? { ...before, ...facts } : before;
}

/** An agent goes on prompting while a hook of it waits, whatever else it does meanwhile. */
function stillPrompting(status: AgentStatus, held: readonly HeldPrompt[]): AgentStatus {
  const { held: before = [], ...rest } = status;
  const next = sameJson(before, held) ? status : { ...rest, ...(held.length === 0 ? {} : { held }) };
  const [first] = held;
  if (first === undefined || status.state === "prompting") return next;
  const { since, prompt_type, question } = first;
  return { ...next, state: "prompting", since, prompt_type, ...(question === undefined ? {} : { question }) };
}

function withGiven(status: AgentStatus, given: readonly HeldPrompt[]): AgentStatus {
  const { given: before = [], ...rest } = status;
  if (sameJson(before, given)) return status;
  return given.length === 0 ? rest : { ...rest, given };
}

/** The monitor's own actions, and the agent's word that it is done. */
function withAction(status: AgentStatus, event: MonitorEvent): AgentStatus {
  if (event.type === ACTION) return afterAction(status, event);
  if (event.type === ACTION_ENDED) return afterEnd(status, event);
  return event.type === "agent:signal" && event.signal === "complete"
    ? { ...status, outcome: "done" }
    : status;
}

/** Events that begin something new, unless the monitor caused them. */
const BEGINS: ReadonlySet<string> = new Set(["agent:start", "agent:turn", "agent:answer"]);

/**
 * After progress, triggers have all their attempts again: a human gave the agent something to do, or it used a tool. What
 * begins anew has no outcome yet.
 */
function withProgress(status: AgentStatus, event: MonitorEvent): AgentStatus {
  const { attempts, outcome, ...rest } = status;
  if (attempts === undefined && outcome === undefined) return status;
  const { type, woken_by, kept_going, worked } = event;
  if (BEGINS.has(type) && woken_by === undefined && kept_going !== true) return rest;
  return worked === true && attempts !== undefined
    ? { ...rest, ...(outcome === undefined ? {} : { outcome }) }
    : status;
}
