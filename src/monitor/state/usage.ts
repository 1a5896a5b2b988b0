import { isRecord } from "../../core/base/json.ts";
import type { Usage } from "../../core/contracts/transcript.ts";
import type { AgentStatus, MonitorEvent } from "../../shared/monitor/monitor.ts";

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
export function usageAfter(
  { usage = {}, used_before = {} }: AgentStatus,
  event: MonitorEvent,
): Pick<AgentStatus, "usage" | "used_before"> {
  const earlier = numbersIn(event.new_turn === true ? usage : used_before, SUMMED);
  const begun = event.new_turn === true && Object.keys(earlier).length > 0 ? { used_before: earlier } : {};
  if (!isRecord(event.usage)) return begun;
  const turn = numbersIn(event.usage, SUMMED);
  const total = SUMMED.flatMap((key) => {
    const [now, before] = [turn[key], earlier[key]];
    if (key === "cost_usd" && (isUnpriced(turn) || isUnpriced(earlier))) return [];
    return now === undefined && before === undefined ? [] : [[key, (now ?? 0) + (before ?? 0)]];
  });
  const inferred = event.usage.context_inferred === true ? { context_inferred: true } : {};
  const latest = { ...numbersIn(event.usage, LATEST), ...inferred };
  return { ...begun, usage: { ...Object.fromEntries(total), ...latest } };
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
