import type { MonitorEvent } from "../../shared/monitor/events.ts";

/** Asks an agent to signal whether its task is done, with the command for that. */
export function askForSignal(agent: string, sessionId: unknown): string {
  const session = /^[\w.-]+$/.test(String(sessionId ?? "")) ? ` --session ${sessionId}` : "";
  const command = (signal: string) => `tenterhook emit agent:signal --agent ${agent} ${signal}${session}`;
  return `Report the state of your task before you stop. When the task is done: ${command("complete")}. When a human must decide: ${command("escalate")}. When there is more to do, do it, or: ${command("continue")}.`;
}

/**
 * What concerns one session. A signal without a session belongs to the session the agent was last seen in before it, else
 * to the one it is first seen in after it.
 */
export function recordsOf(sessionId: unknown, records: readonly MonitorEvent[]): readonly MonitorEvent[] {
  return records.filter((record, at) => {
    if (record.session_id !== undefined || record.type !== "agent:signal")
      return record.session_id === sessionId;
    const isSeen = ({ session_id }: MonitorEvent) => session_id !== undefined;
    const seen = records.slice(0, at).findLast(isSeen) ?? records.slice(at).find(isSeen);
    return seen === undefined || seen.session_id === sessionId;
  });
}

/** True when the agent signalled in this turn that it is done, or was asked and signalled that a human must decide. */
export function isDone(records: readonly MonitorEvent[]): boolean {
  const at = records.findLastIndex(({ type }) => type === "agent:signal");
  const signal = records[at]?.signal;
  if (signal === "complete") return !records.slice(at).some(endsItsTurn);
  const lastStop = records.findLastIndex(
    ({ type }) => type === "agent:stop_blocked" || type === "agent:stopped",
  );
  return signal === "escalate" && at > lastStop && records[lastStop]?.type === "agent:stop_blocked";
}

/** True when earlier signals of an agent no longer count: its user gave it something new, or it was allowed to stop because of them. */
function endsItsTurn({ new_turn, woken_by, because }: MonitorEvent): boolean {
  return (new_turn === true && woken_by === undefined) || because === "signal";
}
