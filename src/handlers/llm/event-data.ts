import { isRecord } from "../../core/base/json.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";

/** Ids, times and places of records: what two events that are the same in every way that matters differ in. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "event_id",
  "seq",
  "timestamp",
  "session_id",
  "agent_id",
  "parent_agent_id",
  "turn_id",
  "tool_use_id",
  "checkpoint_id",
  "host",
  "transcript_path",
  "native",
  "duration_ms",
  "duration_since_last_ms",
]);

/** The event as a judge sees it: its own fields, without ids and times. */
export function eventData(event: AnyEvent): Readonly<Record<string, unknown>> {
  const data = withoutIds(event);
  const calls = data.tool_calls;
  if (!Array.isArray(calls)) return data;
  return { ...data, tool_calls: calls.map((call: unknown) => (isRecord(call) ? withoutIds(call) : call)) };
}

function withoutIds(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !LEFT_OUT.has(key)));
}
