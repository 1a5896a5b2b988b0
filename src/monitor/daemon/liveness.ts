import { statSync } from "node:fs";
import { type Starts, startsOf } from "../../node/process/identity/process-identity.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import type { Monitor } from "../monitor.ts";
import { hasGone } from "../report/agent-process.ts";
import { type Growth, look } from "../state/growth.ts";

/** Notices agents whose process has ended without a word, and those that work without one. */
export function processLooks(monitor: Monitor, drain: () => Promise<void>): () => Promise<void> {
  const growths = new Map<string, Growth>();
  const lookAt = async (agent: AgentStatus, starts: Starts): Promise<void> => {
    if (hasGone(agent, starts)) {
      // It may have reported that it ends, or run again by now.
      await drain();
      return monitor.report("agent:gone", agent);
    }
    const changedAt = changeOf(agent);
    if (changedAt === undefined) return;
    const { growth, event } = look(agent, growths.get(agent.agent_id), changedAt, Date.now());
    growths.set(agent.agent_id, growth);
    if (event !== undefined) await monitor.report(event, agent);
  };
  return async () => {
    const agents = await monitor.agents();
    const starts = await startsOf(agents.filter(needsProcess).flatMap(({ pid }) => pid ?? []));
    for (const agent of agents)
      if (needsProcess(agent)) await lookAt(agent, starts);
      else growths.delete(agent.agent_id);
  };
}

/** False for an agent that has ended, and for a suspended one, which needs no process until it is answered. */
export function needsProcess({ state, suspended }: AgentStatus): boolean {
  return state !== "exited" && state !== "gone" && suspended !== true;
}

/** When an agent's transcript was last written to; `undefined` without a transcript. */
function changeOf({ transcript_path }: AgentStatus): number | undefined {
  if (transcript_path === undefined) return undefined;
  try {
    return statSync(transcript_path).mtimeMs;
  } catch {
    return undefined;
  }
}
