import type { AgentStatus, MonitorEvent, MonitorStore, MonitorTables } from "../../core/contracts/monitor.ts";
import { decisionsAfter } from "../decisions/after-event.ts";
import { reduce } from "../state/reduce.ts";
import { endsAction } from "../state/transitions.ts";
import { ACTION_ENDED } from "../triggers/actions.ts";
import { ofOwnAgent } from "./inner-agent.ts";

/**
 * Stores events with the states and decisions that follow from them, all or none. An event that is known changes
 * nothing.
 *
 * @param mark is stored with them, by its name.
 * @returns those that were new.
 */
export function takeIn(
  store: MonitorStore,
  events: readonly MonitorEvent[],
  mark?: { readonly name: string; readonly value: string },
): Promise<readonly MonitorEvent[]> {
  return store.update((tables) => {
    if (mark !== undefined) tables.putMark(mark.name, mark.value);
    return events.filter((event) => applyEvent(event, tables));
  });
}

/** Stores one event with what follows from it. False when it is known. */
export function applyEvent(reported: MonitorEvent, tables: MonitorTables): boolean {
  const named = ofOwnAgent(reported, tables);
  const before = tables.agent(named.agent_id);
  const event = withOwnCommand(named, before);
  if (!tables.addEvent(event)) return false;
  const status = reduce(before, event);
  if (status !== before) tables.putAgent(status);
  const isEnd = event.type === ACTION_ENDED;
  if (isEnd && !endsAction(before, event)) return true;
  const carried = isEnd ? before?.pending?.decision : undefined;
  const answered = carried === undefined ? undefined : tables.decision(carried);
  for (const decision of decisionsAfter(tables.openDecisions(event.agent_id), event, status, answered))
    tables.putDecision(decision);
  return true;
}

/** The command of an action is the one that the monitor began, whatever its end names: a human may have it run again. */
function withOwnCommand(event: MonitorEvent, before: AgentStatus | undefined): MonitorEvent {
  if (event.type !== ACTION_ENDED) return event;
  const { run: _, ...rest } = event;
  const run = before?.pending?.run;
  return run === undefined ? rest : { ...rest, run };
}
