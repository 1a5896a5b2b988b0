import { statSync } from "node:fs";
import type { AgentStatus } from "../../core/contracts/monitor.ts";
import { hasGone } from "../agent-process.ts";
import type { Monitor } from "../monitor.ts";
import { type Growth, look } from "../state/growth.ts";

/** Notices agents whose process has ended without a word, and those that work without one. */
export function processLooks(monitor: Monitor, drain: () => Promise<void>): () => Promise<void> {
  const growths = new Map<string, Growth>();
  const lookAt = async (agent: AgentStatus): Promise<void> => {
    if (hasGone(agent)) {
      // It may have said that it ends, or run again by now.
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
    for (const agent of await monitor.agents()) {
      const { state, agent_id, suspended } = agent;
      // A suspended agent needs no process until it is answered.
      if (state === "exited" || state === "gone" || suspended === true) growths.delete(agent_id);
      else await lookAt(agent);
    }
  };
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
