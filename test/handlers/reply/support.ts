import { HookFailureError } from "tenterhook";
import type { EventName } from "../../../src/core/events/event-table.ts";
import type { AnyEvent } from "../../../src/core/events/payloads.ts";
import { leastEvent } from "../../support/least-events.ts";

/** An event as the engine gives it to handlers. */
export function anEvent(name: EventName, more: Readonly<Record<string, unknown>> = {}): AnyEvent {
  return {
    event_id: "e1",
    seq: 1,
    timestamp: "2026-01-01T00:00:00.000Z",
    agent_id: "s1",
    agent_type: "root",
    host: "tenterhook",
    ...leastEvent(name),
    cwd: "/project",
    ...more,
  };
}

/** What reading gave: the outcomes, or the failure as kind, message and what it refuses. */
export function given(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HookFailureError)) throw error;
    const refusals = error.refusals.map(({ type }) => type);
    return { [error.kind]: error.message, ...(refusals.length === 0 ? {} : { refusals }) };
  }
}
