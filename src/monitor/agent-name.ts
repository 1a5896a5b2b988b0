import { basename } from "node:path";
import type { AgentStatus } from "../shared/monitor/monitor.ts";

type Named = Pick<AgentStatus, "agent_id" | "session_id" | "host" | "cwd">;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** How much of an id tells two agents of one folder apart. */
const TOLD_APART = 4;

/** What people call an agent: its name, or `claude in shop` when it has only the id of its session. */
export function agentName({ agent_id, session_id, host, cwd }: Named): string {
  const isNamed = agent_id !== session_id && !UUID.test(agent_id);
  if (isNamed || (host === undefined && cwd === undefined)) return agent_id;
  const folder = cwd === undefined ? "" : ` in ${basename(cwd) || cwd}`;
  return `${host ?? "agent"}${folder}`;
}

/** The names of agents by their ids, each different. */
export function agentNames(agents: readonly Named[]): ReadonlyMap<string, string> {
  const names = agents.map(agentName);
  return new Map(
    agents.map(({ agent_id }, at) => {
      const name = names[at] ?? agent_id;
      const isShared = names.indexOf(name) !== names.lastIndexOf(name);
      return [agent_id, isShared ? `${name} (${agent_id.slice(0, TOLD_APART)})` : name];
    }),
  );
}
