import type { MonitorEvent } from "../../../src/shared/monitor/monitor.ts";

let count = 0;

/** An event of `worker` in session `s1`, a second after the one before. */
export function monitorEvent(type: string, fields: Readonly<Record<string, unknown>> = {}): MonitorEvent {
  count += 1;
  return {
    v: 1,
    id: `e-${count}`,
    time: new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString(),
    type,
    agent_id: "worker",
    session_id: "s1",
    ...fields,
  };
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
