import type { MonitorEvent, MonitorStore, MonitorTables } from "../../core/contracts/monitor.ts";
import { decisionsAfter } from "../decisions/after-event.ts";
import { reduce } from "../state/reduce.ts";

/**
 * Stores events with the states and decisions that follow from them, all or none. An event that is known changes
 * nothing.
 *
 * @returns those that were new.
 */
export function takeIn(
  store: MonitorStore,
  events: readonly MonitorEvent[],
): Promise<readonly MonitorEvent[]> {
  return store.update((tables) => events.filter((event) => applyEvent(event, tables)));
}

/** Stores one event with what follows from it. False when it is known. */
export function applyEvent(event: MonitorEvent, tables: MonitorTables): boolean {
  if (!tables.addEvent(event)) return false;
  const before = tables.agent(event.agent_id);
  const status = reduce(before, event);
  if (status !== before) tables.putAgent(status);
  const named = typeof event.decision === "string" ? tables.decision(event.decision) : undefined;
  for (const decision of decisionsAfter(tables.openDecisions(event.agent_id), event, status, named))
    tables.putDecision(decision);
  return true;
}
