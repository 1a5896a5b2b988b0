import type { AgentState, MonitorEvent, MonitorTables } from "../../core/contracts/monitor.ts";
import { hasGone } from "../agent-process.ts";
import { isOtherSession } from "../state/transitions.ts";

/** An agent that has just been started may be a program that starts the real one; it starts no agents yet. */
const WITHOUT_INNER: ReadonlySet<AgentState> = new Set(["starting", "exited", "gone"]);

/**
 * The event under the id of its own agent. An agent that a watched one has started inherits its name: it is called by its
 * session, so that what it does is not taken for the other one's.
 */
export function ofOwnAgent(event: MonitorEvent, tables: MonitorTables): MonitorEvent {
  const { session_id } = event;
  const isInner = session_id !== undefined && isOfInnerAgent(event, session_id, tables);
  return isInner ? { ...event, agent_id: session_id } : event;
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
