import type { AgentStatus, MonitorEvent } from "../../core/contracts/monitor.ts";
import { isOtherSession, promptType, TRANSITIONS } from "./transitions.ts";

/**
 * An agent after an event. Pure: the same events give the same status, whenever they are read. Returns the same object
 * when the event says nothing new.
 */
export function reduce(status: AgentStatus | undefined, event: MonitorEvent): AgentStatus {
  const known = withFacts(status, event);
  const row = Object.hasOwn(TRANSITIONS, typeOf(event)) ? TRANSITIONS[typeOf(event)] : undefined;
  if (row === undefined || !applies(row, status, event)) return known;
  const { agent_id, host, session_id, cwd, pid, transcript_path } = known;
  const facts = { host, session_id, cwd, pid, transcript_path };
  const present = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  const details = row.details?.(event) ?? {};
  // A repeated state lasts since it began, unless it is about something else now.
  const same = status?.state === row.to && JSON.stringify(details) === JSON.stringify(detailsOf(status));
  return { agent_id, ...present, state: row.to, since: same ? status.since : event.time, ...details };
}

/** An idle prompt is no question. */
function typeOf({ type, prompt_type }: MonitorEvent): string {
  return type === "agent:prompt" && promptType(prompt_type) === "idle" ? "agent:idle" : type;
}

function applies(
  { from, ends, when }: (typeof TRANSITIONS)[string],
  status: AgentStatus | undefined,
  event: MonitorEvent,
): boolean {
  if (ends === true && isOtherSession(status, event)) return false;
  if (from !== undefined && status !== undefined && !from.includes(status.state)) return false;
  return when?.(status, event) ?? true;
}

function detailsOf({ prompt_type, question, error_type, error_message, exit_code }: AgentStatus): object {
  const details = { prompt_type, question, error_type, error_message, exit_code };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

/** What an event tells about an agent whatever its type. */
function withFacts(status: AgentStatus | undefined, event: MonitorEvent): AgentStatus {
  const before: AgentStatus = status ?? {
    agent_id: event.agent_id,
    state: "starting",
    since: event.time,
  };
  // The end of an older session says nothing about the present one.
  if (isOtherSession(status, event) && TRANSITIONS[typeOf(event)]?.ends === true) return before;
  const { session_id, cwd, host, agent_pid, transcript_path } = event;
  const facts: Partial<AgentStatus> = {
    ...(typeof session_id === "string" ? { session_id } : {}),
    ...(typeof cwd === "string" ? { cwd } : {}),
    ...(typeof host === "string" ? { host } : {}),
    ...(Number.isInteger(agent_pid) ? { pid: Number(agent_pid) } : {}),
    ...(typeof transcript_path === "string" ? { transcript_path } : {}),
  };
  const isNews = Object.entries(facts).some(([key, value]) => Reflect.get(before, key) !== value);
  return isNews ? { ...before, ...facts } : before;
}
