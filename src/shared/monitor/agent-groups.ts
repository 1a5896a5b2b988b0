import type { AgentState, AgentStatus } from "./monitor.ts";

/** Agents by what people do about them, in the order of every list: who needs somebody comes first. */
export const GROUP_NAMES = ["waits", "failed", "gone", "works", "quiet", "starts", "idle", "ended"] as const;
export type GroupName = (typeof GROUP_NAMES)[number];

const GROUP_OF: Readonly<Record<AgentState, GroupName>> = {
  prompting: "waits",
  failed: "failed",
  gone: "gone",
  working: "works",
  starting: "starts",
  idle: "idle",
  exited: "ended",
};

/** @param asks whether a question of it is open: then it waits, whatever else it does. */
export function groupOf(agent: AgentStatus, asks = false): GroupName {
  const { state, no_news_since } = agent;
  if (asks) return "waits";
  if (hasFailed(agent)) return "failed";
  return state === "working" && no_news_since !== undefined ? "quiet" : GROUP_OF[state];
}

/** True for an agent whose last turn or whose process has failed. One that was asked to end by a signal has not. */
export function hasFailed({ state, outcome, exit_code = 0, exit_signal }: AgentStatus): boolean {
  if (state === "exited") return outcome === "failed" || (exit_code !== 0 && exit_signal === undefined);
  return state === "failed";
}

/** Agents in the order of every list: who waits longest, who has failed, who works, the rest. */
export function inOrder<Listed>(
  agents: readonly Listed[],
  lookOf: (one: Listed) => readonly [agent: AgentStatus, asks: boolean],
): readonly Listed[] {
  const rows = agents.map((one) => {
    const [agent, asks] = lookOf(one);
    return { one, rank: GROUP_NAMES.indexOf(groupOf(agent, asks)), since: agent.since, id: agent.agent_id };
  });
  rows.sort((a, b) => a.rank - b.rank || compareTexts(a.since, b.since) || compareTexts(a.id, b.id));
  return rows.map(({ one }) => one);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
