import { LOCAL_FIELDS, type MonitorEvent } from "../../shared/monitor/events.ts";

/**
 * An event as the monitor of several machines stores it: two machines may have agents of the same name, and a process or a
 * file of one is nothing here. Only this says which machine an event is from, never the event itself.
 *
 * @param machine the one that reports it; `undefined` for this one.
 */
export function ofMachine(event: MonitorEvent, machine: string | undefined): MonitorEvent {
  const { machine: claimed, ...rest } = event;
  if (machine === undefined) return claimed === undefined ? event : rest;
  const kept = { ...rest, agent_id: `${rest.agent_id}@${machine}`, machine };
  for (const name of LOCAL_FIELDS) delete kept[name];
  return kept;
}

/** The event of another machine as that one has reported it: the other direction of {@link ofMachine}. */
export function asReported(event: MonitorEvent): MonitorEvent {
  const { machine, agent_id, ...rest } = event;
  const end = `@${machine}`;
  return machine === undefined || !agent_id.endsWith(end)
    ? event
    : { ...rest, agent_id: agent_id.slice(0, -end.length) };
}
