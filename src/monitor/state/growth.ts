import { statSync } from "node:fs";
import type { AgentStatus } from "../../shared/monitor/monitor.ts";

/** Agents go on writing for a moment after they reported that they stopped. */
const SETTLE_MILLISECONDS = 10_000;
const QUIET_MILLISECONDS = 60_000;

/** The time of the last write to a transcript; `undefined` when there is none. */
export function lastWriteTo(transcript: string | undefined): number | undefined {
  try {
    return transcript === undefined ? undefined : statSync(transcript).mtimeMs;
  } catch {
    return undefined;
  }
}

/** What was seen of an agent's transcript since it got into its state. */
export interface Growth {
  readonly since: string;
  readonly changed_at: number;
  readonly times: number;
  /** True when its end is to be read again, though it has not changed. */
  readonly unread?: true;
}

export interface Look {
  readonly growth: Growth;
  /** What the monitor reports: the agent works although no hook reported it, or has done nothing for a while. */
  readonly event?: "agent:grew" | "agent:idle" | "agent:news";
  /** True when the end of the transcript is to be read now. */
  readonly read?: true;
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
  const growth: Growth = { since, changed_at: changedAt, times: known.times + (grew ? 1 : 0) };
  const isRead = before?.changed_at === changedAt && before.unread !== true;
  const read = isRead ? {} : { read: true as const };
  const quietSince = Math.max(changedAt, Date.parse(since));
  if (state === "working") {
    if (isSeenOnly(agent))
      return now - quietSince > QUIET_MILLISECONDS
        ? { growth, event: "agent:idle", ...read }
        : { growth, ...read };
    const isHeardAgain = agent.no_news_since !== undefined && changedAt > Date.parse(agent.no_news_since);
    return { growth, ...(isHeardAgain ? { event: "agent:news" } : {}), ...read };
  }
  // One line more may be the result of an earlier call; an agent that works writes again and again.
  return growth.times >= (isHooked(agent) ? 2 : 1) && !isHeld(agent, now)
    ? { growth, event: "agent:grew", ...read }
    : { growth, ...read };
}

/**
 * Since when nothing was heard of an agent that works, neither by a hook nor in its transcript; `undefined` when that is
 * not long ago, is known already, or says nothing: a program without hooks works while it runs.
 *
 * @param changedAt when the transcript was last written to, if there is one.
 */
export function quietSince(agent: AgentStatus, changedAt: number, now: number): string | undefined {
  const { state, since, confirmed_at = since, no_news_since } = agent;
  if (state !== "working" || no_news_since !== undefined || isSeenOnly(agent)) return undefined;
  const last = Math.max(changedAt, Date.parse(confirmed_at));
  return now - last > QUIET_MILLISECONDS ? new Date(last).toISOString() : undefined;
}

function isHeld({ held = [] }: AgentStatus, now: number): boolean {
  return held.some(({ waits_until }) => waits_until === undefined || Date.parse(waits_until) > now);
}

/** Only hooks know the session. */
function isHooked({ session_id }: AgentStatus): boolean {
  return session_id !== undefined;
}

/** True when nothing but its transcript shows that it works. */
function isSeenOnly(agent: AgentStatus): boolean {
  return agent.source === "inferred" || !isHooked(agent);
}
