import { isRecord } from "../../core/base/json.ts";
import type { Usage } from "../../core/contracts/transcript.ts";
import { contextLeft } from "../../shared/context-left.ts";
import { dayOf } from "../../shared/day-of.ts";
import { folderOn } from "../../shared/folder-on.ts";
import type { MonitorEvent } from "../../shared/monitor/events.ts";
import type { AgentStatus, UsedOnDay } from "../../shared/monitor/monitor.ts";
import type { SaidUsage } from "../../shared/said-usage.ts";

/** What is added up over the turns of an agent. */
const SUMMED = ["input_tokens", "output_tokens", "total_tokens", "cached_tokens", "cost_usd"] as const;
/** What the last model call tells. */
const LATEST = ["context_tokens", "context_window", "context_left"] as const;

/** More than any agent uses: a broken transcript said so. */
const NONSENSE = 1e12;

/**
 * What an event changes in the usage of an agent. Events tell what the present turn has used so far, the same turn several
 * times; an event with `new_turn` begins another one.
 */
export function usageAfter(status: AgentStatus, event: MonitorEvent): Partial<UsageFacts> {
  if (event.said !== undefined) return afterSaid(status, event.said);
  const { usage = {}, used_before = {}, said, said_before } = status;
  const earlier = numbersIn(event.new_turn === true ? usage : used_before, SUMMED);
  const begun = event.new_turn === true && Object.keys(earlier).length > 0 ? { used_before: earlier } : {};
  if (event.usage === undefined) return begun;
  const turn = numbersIn(event.usage, SUMMED);
  const total = SUMMED.flatMap((key) => {
    const [now, before] = [turn[key], earlier[key]];
    if (key === "cost_usd" && (isUnpriced(turn) || isUnpriced(earlier))) return [];
    return now === undefined && before === undefined ? [] : [[key, (now ?? 0) + (before ?? 0)]];
  });
  const inferred = event.usage.context_inferred === true ? { context_inferred: true } : {};
  const latest = { ...numbersIn(event.usage, LATEST), ...inferred };
  const computed = { ...Object.fromEntries(total), ...latest };
  return { ...begun, usage: said === undefined ? computed : overlaid(computed, said, said_before) };
}

type UsageFacts = Pick<AgentStatus, "usage" | "used_before" | "said" | "said_before">;

/** An agent has said itself what its session has used. */
export const SAID = "agent:said";

function afterSaid({ usage = {}, said, said_before = 0 }: AgentStatus, value: Said): Partial<UsageFacts> {
  const now: SaidUsage = { ...numbersIn(value, SAID_NUMBERS), ...limitsIn(value) };
  const { cost_usd = 0 } = said ?? {};
  // It counts from nothing again when another process continues the session.
  const before = now.cost_usd !== undefined && now.cost_usd < cost_usd ? said_before + cost_usd : said_before;
  const { context_tokens = usage.context_tokens } = now;
  return {
    said: now,
    ...(before > 0 ? { said_before: before } : {}),
    usage: overlaid({ ...usage, context_tokens }, now, before),
  };
}

type Said = Readonly<Record<string, unknown>>;

const SAID_NUMBERS = ["cost_usd", "context_tokens", "context_window"] as const;

function limitsIn({ rate_limits }: Said): Pick<SaidUsage, "rate_limits"> {
  const limits = Object.entries(isRecord(rate_limits) ? rate_limits : {}).flatMap(([name, limit]) => {
    const { used_percentage, resets_at } = isRecord(limit) ? limit : {};
    const end = typeof resets_at === "string" ? { resets_at } : {};
    return typeof used_percentage === "number" ? [[name, { used_percentage, ...end }] as const] : [];
  });
  return limits.length === 0 ? {} : { rate_limits: Object.fromEntries(limits) };
}

/** What is computed, under what the agent says: it knows its own window, and what it was charged. */
function overlaid(computed: Usage, said: SaidUsage, costBefore = 0): Usage {
  const { context_tokens, context_window, context_left, context_inferred, ...rest } = computed;
  const { cost_usd, context_window: window, rate_limits } = said;
  const cost = cost_usd === undefined ? {} : { cost_usd: costBefore + cost_usd };
  const limits = rate_limits === undefined ? {} : { rate_limits };
  if (window === undefined || typeof context_tokens !== "number") return { ...computed, ...cost, ...limits };
  return { ...rest, ...contextLeft(context_tokens, window), ...cost, ...limits };
}

/** True when tokens were used at a price that nobody knows: the sum is not known either. */
function isUnpriced({ total_tokens = 0, cost_usd }: Usage): boolean {
  return total_tokens > 0 && cost_usd === undefined;
}

function numbersIn<Key extends string>(
  usage: Usage | Readonly<Record<string, unknown>>,
  keys: readonly Key[],
): Partial<Record<Key, number>> {
  const found: Partial<Record<Key, number>> = {};
  for (const key of keys) {
    const value: unknown = usage[key];
    if (typeof value === "number" && value >= 0 && value < NONSENSE) found[key] = value;
  }
  return found;
}

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
