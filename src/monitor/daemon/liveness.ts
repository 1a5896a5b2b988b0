import { type Starts, startsOf } from "../../node/identity/process-identity.ts";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";
import type { Monitor, Seen } from "../monitor.ts";
import { hasGone } from "../report/agent-process.ts";
import { type Growth, lastWriteTo, look, quietSince } from "../state/growth.ts";
import type { StatusLines } from "../state/status-line.ts";
import { newsOf } from "../state/turn-news.ts";
import { SAID } from "../state/usage.ts";
import { resumedLooks } from "./resumed-agents.ts";

/** Notices agents whose process has ended without a word, those that work without one, and turns that ended so. */
export function processLooks(
  monitor: Monitor,
  drain: () => Promise<void>,
  lines: Pick<StatusLines, "newIn">,
): () => Promise<void> {
  const growths = new Map<string, Growth>();
  const resumed = resumedLooks();
  const seenOf = (agent: AgentStatus, starts: Starts): Seen | undefined => {
    if (hasGone(agent, starts)) return { type: goneFrom(agent), agent, fields: INFERRED };
    const changed = lastWriteTo(agent.transcript_path);
    const now = Date.now();
    const no_news_since = quietSince(agent, changed ?? 0, now);
    if (changed !== undefined) {
      const { growth, event, read } = look(agent, growths.get(agent.agent_id), changed, now);
      const news = read === true ? newsOf(agent) : undefined;
      // Its hooks may report something in this moment: then it is read once more.
      growths.set(agent.agent_id, news === undefined ? growth : { ...growth, unread: true });
      if (news !== undefined) return { agent, ...news };
      if (event !== undefined) return { type: event, agent, fields: INFERRED };
    }
    return no_news_since === undefined
      ? undefined
      : { type: "agent:quiet", agent, fields: { no_news_since } };
  };
  const saidBy = (agent: AgentStatus): Seen | undefined => {
    const said = lines.newIn(agent);
    return said && { type: SAID, agent, fields: { said } };
  };
  return async () => {
    const agents = await monitor.agents();
    const starts = await startsOf(agents.filter(needsProcess).flatMap(({ pid }) => pid ?? []));
    const seen = agents.flatMap((agent) => {
      if (needsProcess(agent)) return seenOf(agent, starts) ?? saidBy(agent) ?? [];
      growths.delete(agent.agent_id);
      return saidBy(agent) ?? [];
    });
    seen.push(...resumed(agents));
    // What has gone may have reported that it ends, or run again by now.
    if (seen.some(({ type }) => type === GONE)) await drain();
    await monitor.report(...seen);
  };
}

const GONE = "agent:gone";

/** What was resumed and has reported nothing since was closed again. */
function goneFrom({ state, source }: AgentStatus): "agent:gone" | "agent:exit" {
  return state === "starting" && source === "inferred" ? "agent:exit" : GONE;
}
const INFERRED = { state_source: "inferred" };

/**
 * False for an agent that has ended, for a suspended one, which needs no process until it is answered, and for one of
 * another machine, whose daemon looks at it.
 */
export function needsProcess({ state, suspended, machine }: AgentStatus): boolean {
  return state !== "exited" && state !== "gone" && suspended !== true && machine === undefined;
}
