import { type MonitorEvent, readEvent } from "../../../src/shared/monitor/events.ts";
import type { MonitorStore } from "../../../src/shared/monitor/monitor.ts";

let count = 0;

/** An event of `worker` in session `s1`, a second after the one before. */
export function monitorEvent(type: string, fields: Readonly<Record<string, unknown>> = {}): MonitorEvent {
  count += 1;
  const event = readEvent({
    v: 1,
    id: `e-${count}`,
    time: new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString(),
    type,
    agent_id: "worker",
    session_id: "s1",
    ...fields,
  });
  if (event === undefined) throw new Error(`There is no event ${type}.`);
  return event;
}

/** What an agent that asks a question reports. */
export function question(fields: Readonly<Record<string, unknown>> = {}): MonitorEvent {
  return monitorEvent("agent:prompt", {
    prompt_type: "question",
    question: [
      { question: "Which colour?", options: [{ label: "Blue", description: "Calm." }, { label: "Red" }] },
    ],
    ...fields,
  });
}

/** All that a monitor has stored, the oldest first. */
export async function storedEvents(
  store: Pick<MonitorStore, "eventsAfter">,
): Promise<readonly MonitorEvent[]> {
  return (await store.eventsAfter(0, Number.MAX_SAFE_INTEGER)).map(({ event }) => event);
}
