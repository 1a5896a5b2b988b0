import { statSync } from "node:fs";
import { type Starts, startsOf } from "../../node/process/identity/process-identity.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import type { Monitor } from "../monitor.ts";
import { hasGone } from "../report/agent-process.ts";
import { type Growth, look, quietSince } from "../state/growth.ts";
import { newsOf } from "../state/read-transcript.ts";

/** Notices agents whose process has ended without a word, those that work without one, and turns that ended so. */
export function processLooks(monitor: Monitor, drain: () => Promise<void>): () => Promise<void> {
  const growths = new Map<string, Growth>();
  const lookAt = async (agent: AgentStatus, starts: Starts): Promise<void> => {
    if (hasGone(agent, starts)) {
      // It may have reported that it ends, or run again by now.
      await drain();
      return monitor.report("agent:gone", agent, INFERRED);
    }
    const changedAt = changeOf(agent);
    const now = Date.now();
    const no_news_since = quietSince(agent, changedAt ?? 0, now);
    if (changedAt !== undefined) {
      const { growth, event, read } = look(agent, growths.get(agent.agent_id), changedAt, now);
      const news = read === true ? newsOf(agent) : undefined;
      // Its hooks may report something in this moment: then it is read once more.
      growths.set(agent.agent_id, news === undefined ? growth : { ...growth, unread: true });
      if (news !== undefined) return monitor.report(news.type, agent, news.fields);
      if (event !== undefined) return monitor.report(event, agent, INFERRED);
    }
    if (no_news_since !== undefined) await monitor.report("agent:quiet", agent, { no_news_since });
  };
  return async () => {
    const agents = await monitor.agents();
    const starts = await startsOf(agents.filter(needsProcess).flatMap(({ pid }) => pid ?? []));
    for (const agent of agents)
      if (needsProcess(agent)) await lookAt(agent, starts);
      else growths.delete(agent.agent_id);
  };
}

const INFERRED = { state_source: "inferred" };

/**
 * False for an agent that has ended, for a suspended one, which needs no process until it is answered, and for one of
 * another machine, whose daemon looks at it.
 */
export function needsProcess({ state, suspended, machine }: AgentStatus): boolean {
  return state !== "exited" && state !== "gone" && suspended !== true && machine === undefined;
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
