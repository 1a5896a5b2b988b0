import { eventOf, LOCAL_FIELDS, type MonitorEvent } from "../../shared/monitor/events.ts";

/** How far the clocks of two machines may be apart. */
const AHEAD_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Older reports say nothing about today. */
const KEPT_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;

/** False for an event that the store may have forgotten: it would take it for new. */
export function isRecent({ time }: MonitorEvent): boolean {
  return Date.parse(time) > Date.now() - KEPT_MILLISECONDS;
}

/** An event with an unreadable time, or one that has not come yet, is from now: later ones would never count. */
export function inOurTime(event: MonitorEvent, now: number): MonitorEvent {
  const time = Date.parse(event.time);
  if (time <= now + AHEAD_MILLISECONDS) return event;
  const { waits_until, ...rest } = event;
  const wait = Date.parse(waits_until ?? "") - time;
  return eventOf(
    { ...rest, time: new Date(now).toISOString() },
    { ...rest, ...(Number.isNaN(wait) ? {} : { waits_until: new Date(now + wait).toISOString() }) },
  );
}

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
