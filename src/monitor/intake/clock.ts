import type { AgentStatus, MonitorEvent, MonitorTables } from "../../shared/monitor/monitor.ts";

/** Less is no jump: clocks are corrected all the time. */
const JUMP_MILLISECONDS = 2000;
/** How far the clocks of two machines may be apart. */
const AHEAD_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Returns how far the clock was set, ahead or back, since it was asked last. A machine that slept counts, too. */
export function clockJumps(): () => number {
  const offset = (): number => Date.now() - performance.now();
  let before = offset();
  return () => {
    const jump = offset() - before;
    if (Math.abs(jump) < JUMP_MILLISECONDS) return 0;
    before += jump;
    return jump;
  };
}

/** Hooks that wait count the time that passes, not the clock: they wait until another time by a clock that was set. */
export function moveWaits(tables: MonitorTables, milliseconds: number): void {
  const moved = (time: string): string => new Date(Date.parse(time) + milliseconds).toISOString();
  for (const agent of tables.agents()) {
    const held = agent.held?.map((one) => ({ ...one, waits_until: moved(one.waits_until) }));
    if (held !== undefined) tables.putAgent({ ...agent, held } satisfies AgentStatus);
    for (const decision of tables.openDecisions(agent.agent_id))
      if (decision.waits_until !== undefined)
        tables.putDecision({ ...decision, waits_until: moved(decision.waits_until) });
  }
}

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
  const { waits_until } = event;
  const wait = typeof waits_until === "string" ? Date.parse(waits_until) - time : Number.NaN;
  return {
    ...event,
    time: new Date(now).toISOString(),
    ...(Number.isNaN(wait) ? {} : { waits_until: new Date(now + wait).toISOString() }),
  };
}
