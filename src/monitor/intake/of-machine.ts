import type { MonitorEvent } from "../../shared/monitor/monitor.ts";

/** What means something only on the machine that has reported it. */
const LOCAL_FIELDS: ReadonlySet<string> = new Set([
  "agent_pid",
  "agent_process",
  "agent_args",
  "from",
  "transcript_path",
  "output_path",
  "only_here",
]);

/**
 * An event as the monitor of several machines stores it: two machines may have agents of the same name, and a process or a
 * file of one is nothing here. Only this says which machine an event is from, never the event itself.
 *
 * @param machine the one that reports it; `undefined` for this one.
 */
export function ofMachine(event: MonitorEvent, machine: string | undefined): MonitorEvent {
  const { machine: claimed, ...rest } = event;
  if (machine === undefined) return claimed === undefined ? event : rest;
  const { v, id, time, type, agent_id, ...fields } = rest;
  const kept = Object.fromEntries(Object.entries(fields).filter(([name]) => !LOCAL_FIELDS.has(name)));
  return { ...kept, v, id, time, type, agent_id: `${agent_id}@${machine}`, machine };
}

/** The event of another machine as that one has reported it: the other direction of {@link ofMachine}. */
export function asReported(event: MonitorEvent): MonitorEvent {
  const { machine, agent_id, ...rest } = event;
  const end = `@${String(machine)}`;
  return machine === undefined || !agent_id.endsWith(end)
    ? event
    : { ...rest, agent_id: agent_id.slice(0, -end.length) };
}

/** The machine that has reported an event; `undefined` for this one. */
export function machineOf({ machine }: MonitorEvent): string | undefined {
  return typeof machine === "string" ? machine : undefined;
}
