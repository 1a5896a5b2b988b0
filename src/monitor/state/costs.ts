import { dayOf } from "../../shared/day-of.ts";
import { folderOn } from "../../shared/folder-on.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { AgentStatus, UsedOnDay } from "../../shared/monitor/monitor.ts";

export interface DayCost {
  /** `2026-03-09`, where the user is. */
  readonly day: string;
  readonly project: string;
  /** The program: `claude`, `codex`, `tenterhook`. */
  readonly agent: string;
  readonly tokens: number;
  /** Absent when the price of a model is not known. */
  readonly cost_usd?: number;
}

/** What an event adds to an agent's usage; `undefined` for nothing. Several events may report the same turn. */
export function usedBy(
  before: AgentStatus | undefined,
  after: AgentStatus,
  { time }: MonitorEvent,
): UsedOnDay | undefined {
  const tokens = grown(before?.usage?.total_tokens, after.usage?.total_tokens);
  const cost = grown(before?.usage?.cost_usd, after.usage?.cost_usd);
  if (tokens + cost === 0) return undefined;
  const isPriced = tokens === 0 || after.usage?.cost_usd !== undefined;
  const { cwd: folder = "", host = "other", session_id = "", machine } = after;
  const cwd = machine === undefined ? folder : folderOn(machine, folder);
  return { day: dayOf(time), session_id, cwd, host, tokens, ...(isPriced ? { cost_usd: cost } : {}) };
}

function grown(before = 0, after = 0): number {
  return Math.max(0, after - before);
}

/** Sums by day, project and program, the last day first. Once a part has no price, nobody knows the sum. */
export function costsByDay(
  used: readonly UsedOnDay[],
  projectOf: (cwd: string) => string,
): readonly DayCost[] {
  const sums = new Map<string, DayCost>();
  for (const { day, cwd, host, tokens, cost_usd } of used) {
    const project = cwd === "" ? "elsewhere" : projectOf(cwd);
    const key = JSON.stringify([day, project, host]);
    const { cost_usd: before, ...sum } = sums.get(key) ?? {
      day,
      project,
      agent: host,
      tokens: 0,
      cost_usd: 0,
    };
    const cost = before === undefined || cost_usd === undefined ? {} : { cost_usd: before + cost_usd };
    sums.set(key, { ...sum, tokens: sum.tokens + tokens, ...cost });
  }
  return [...sums.values()].sort((one, other) =>
    one.day === other.day ? (other.cost_usd ?? 0) - (one.cost_usd ?? 0) : one.day < other.day ? 1 : -1,
  );
}
