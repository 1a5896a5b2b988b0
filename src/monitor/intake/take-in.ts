import type {
  AgentState,
  AgentStatus,
  HumanRequest,
  MonitorEvent,
  MonitorStore,
  MonitorTables,
} from "../../shared/monitor/monitor.ts";
import { decisionsAfter } from "../decisions/after-event.ts";
import { ACTION_ENDED } from "../report/actions.ts";
import { hasGone, isFromBelow } from "../report/agent-process.ts";
import { usedBy } from "../state/costs.ts";
import { reduce } from "../state/reduce.ts";
import { endsAction, isOtherSession } from "../state/transitions.ts";

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

/** Stores one event with what follows from it. False when it is known, or another agent's than the one that it names. */
export function applyEvent(reported: MonitorEvent, tables: MonitorTables): boolean {
  const named = ofOwnAgent(reported, tables);
  if (named === undefined) return false;
  const before = tables.agent(named.agent_id);
  const event = withOwnCommand(named, before);
  if (!tables.addEvent(event)) return false;
  const status = reduce(before, event);
  if (status !== before) tables.putAgent(status);
  const used = status === before ? undefined : usedBy(before, status, event);
  if (used !== undefined) tables.addUsed(used);
  const isEnd = event.type === ACTION_ENDED;
  if (isEnd && !endsAction(before, event)) return true;
  const carried = isEnd ? before?.pending?.decision : undefined;
  const answered = carried === undefined ? undefined : tables.decision(carried);
  const open = [...tables.openDecisions(event.agent_id), ...untaken(event, tables)];
  for (const decision of decisionsAfter(open, event, status, answered)) tables.putDecision(decision);
  return true;
}

/** The answer that the hook of a prompt has not taken: it reports another end itself. */
function untaken({ prompt }: MonitorEvent, tables: MonitorTables): readonly HumanRequest[] {
  const decision = typeof prompt === "string" ? tables.decision(prompt) : undefined;
  const isOpen = decision?.state === "resolved" && decision.resolved?.delivered === undefined;
  return isOpen ? [decision] : [];
}

/** The command of an action is the one that the monitor began, whatever its end names: a human may have it run again. */
function withOwnCommand(event: MonitorEvent, before: AgentStatus | undefined): MonitorEvent {
  if (event.type !== ACTION_ENDED) return event;
  const { run: _, ...rest } = event;
  const run = before?.pending?.run;
  return run === undefined ? rest : { ...rest, run };
}

/** An agent that has just been started may be a program that starts the real one; it starts no agents yet. */
const WITHOUT_INNER: ReadonlySet<AgentState> = new Set(["starting", "exited", "gone"]);

/**
 * The event under the id of its own agent. An agent that a watched one has started inherits its name: it is called by its
 * session, so that what it does is not taken for the other one's. So is an agent that uses the name of one whose process
 * has not started it; `undefined` when it uses its session, too.
 */
function ofOwnAgent(event: MonitorEvent, tables: MonitorTables): MonitorEvent | undefined {
  const { session_id, agent_id, type } = event;
  const named = tables.agent(agent_id);
  const isForeign = named !== undefined && isFromBelow(event, named) === false && !hasGone(named);
  const isOther = session_id !== undefined && session_id !== named?.session_id && session_id !== agent_id;
  if (isForeign && !isOther && !(type === "agent:start" && isOfNoAgent(event, named, tables)))
    return undefined;
  const isInner = session_id !== undefined && isOfInnerAgent(event, session_id, tables);
  return isInner || (isForeign && isOther) ? { ...event, agent_id: session_id } : event;
}

/** True when no other agent has reported this: a person may continue a session in a second terminal. */
function isOfNoAgent(event: MonitorEvent, { agent_id }: AgentStatus, tables: MonitorTables): boolean {
  const others = tables.agents().filter((one) => one.agent_id !== agent_id);
  return !others.some((one) => isFromBelow(event, one) === true);
}

function isOfInnerAgent(event: MonitorEvent, session: string, tables: MonitorTables): boolean {
  const { agent_id, agent_pid } = event;
  const named = tables.agent(agent_id);
  if (named === undefined || !isOtherSession(named, event)) return false;
  // Only the first event of a session names the process.
  if (agent_pid === undefined) return isRunningAgent(tables.agent(session)?.state);
  const { pid, state } = named;
  return pid !== undefined && pid !== agent_pid && !WITHOUT_INNER.has(state) && !hasGone(named);
}

function isRunningAgent(state: AgentState | undefined): boolean {
  return state !== undefined && state !== "exited" && state !== "gone";
}
