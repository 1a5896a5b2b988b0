import type { AgentStatus, MonitorEvent } from "../../shared/monitor/monitor.ts";
import { usageAfter } from "./usage.ts";

/** What one program used in one folder on one day. */
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

type Known = Pick<AgentStatus, "agent_id" | "state" | "since" | "usage" | "used_before" | "cwd" | "host">;

/**
 * What agents used, by day, project and program, the last day first: what the usage of each agent grew by at each event.
 *
 * @param where the day and the project of an event, with the folder of its agent; `undefined` for one that does not count.
 */
export async function costsByDay(
  events: AsyncIterable<MonitorEvent>,
  where: (event: MonitorEvent, cwd: string | undefined) => Pick<DayCost, "day" | "project"> | undefined,
): Promise<readonly DayCost[]> {
  const agents = new Map<string, Known>();
  const sums = new Map<string, DayCost>();
  for await (const event of events) {
    const { agent_id, cwd, host } = event;
    const before = agents.get(agent_id) ?? { agent_id, state: "starting", since: "" };
    const after = {
      ...before,
      ...usageAfter(before, event),
      ...(cwd === undefined ? {} : { cwd }),
      ...(typeof host === "string" ? { host } : {}),
    };
    agents.set(agent_id, after);
    const tokens = grown(before.usage?.total_tokens, after.usage?.total_tokens);
    const cost = grown(before.usage?.cost_usd, after.usage?.cost_usd);
    const place = tokens + cost > 0 ? where(event, after.cwd) : undefined;
    if (place === undefined) continue;
    const agent = after.host ?? "other";
    const key = JSON.stringify([place, agent]);
    const isPriced = tokens === 0 || after.usage?.cost_usd !== undefined;
    sums.set(
      key,
      added(
        sums.get(key) ?? { ...place, agent, tokens: 0, cost_usd: 0 },
        tokens,
        isPriced ? cost : undefined,
      ),
    );
  }
  return [...sums.values()].sort((one, other) =>
    one.day === other.day ? (other.cost_usd ?? 0) - (one.cost_usd ?? 0) : one.day < other.day ? 1 : -1,
  );
}

/** A turn is told of several times, each time with all it has used so far. */
function grown(before = 0, after = 0): number {
  return Math.max(0, after - before);
}

/** Once a part has no price, nobody knows the sum. */
function added({ cost_usd, ...rest }: DayCost, tokens: number, cost: number | undefined): DayCost {
  const sum = cost === undefined || cost_usd === undefined ? undefined : cost_usd + cost;
  return { ...rest, tokens: rest.tokens + tokens, ...(sum === undefined ? {} : { cost_usd: sum }) };
}
