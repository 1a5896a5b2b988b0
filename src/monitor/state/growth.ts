import type { AgentStatus } from "../../shared/monitor/monitor.ts";

/** Agents go on writing for a moment after they reported that they stopped. */
const SETTLE_MILLISECONDS = 10_000;
const QUIET_MILLISECONDS = 60_000;

/** What was seen of an agent's transcript since it got into its state. */
export interface Growth {
  readonly since: string;
  readonly changed_at: number;
  readonly times: number;
}

/** What a look at a transcript shows. */
export interface Look {
  readonly growth: Growth;
  /** What the monitor reports: the agent works although no hook reported it, or has done nothing for a while. */
  readonly event?: "agent:grew" | "agent:idle";
}

/**
 * What the growth of a transcript says about an agent, where its hooks say nothing. Pure.
 *
 * @param changedAt when the transcript was last written to.
 */
export function look(agent: AgentStatus, before: Growth | undefined, changedAt: number, now: number): Look {
  const { since, state } = agent;
  const known = before?.since === since ? before : { since, changed_at: changedAt, times: 0 };
  const isLate = changedAt > Date.parse(since) + (isHooked(agent) ? SETTLE_MILLISECONDS : 0);
  const grew = changedAt > known.changed_at && isLate;
  const growth = { since, changed_at: changedAt, times: known.times + (grew ? 1 : 0) };
  const quietSince = Math.max(changedAt, Date.parse(since));
  if (state === "working")
    return isSeenOnly(agent) && now - quietSince > QUIET_MILLISECONDS
      ? { growth, event: "agent:idle" }
      : { growth };
  // One line more may be the result of an earlier call; an agent that works writes again and again.
  return growth.times >= (isHooked(agent) ? 2 : 1) && !isHeld(agent, now)
    ? { growth, event: "agent:grew" }
    : { growth };
}

function isHeld({ held = [] }: AgentStatus, now: number): boolean {
  return held.some(({ waits_until }) => Date.parse(waits_until) > now);
}

/** Only hooks know the session. */
function isHooked({ session_id }: AgentStatus): boolean {
  return session_id !== undefined;
}

/** True when nothing but its transcript shows that it works. */
function isSeenOnly(agent: AgentStatus): boolean {
  return agent.guessed === true || !isHooked(agent);
}
