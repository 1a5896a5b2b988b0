import { eventOf, type MonitorEvent } from "../../shared/monitor/events.ts";

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
