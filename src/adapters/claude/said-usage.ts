import { isRecord } from "../../core/base/json.ts";
import type { SaidUsage } from "../../shared/said-usage.ts";

/** What Claude Code tells the command of its status line about a session. */
export function claudeSaid(told: Readonly<Record<string, unknown>>): SaidUsage {
  const { cost, context_window, rate_limits } = told;
  const { total_cost_usd } = isRecord(cost) ? cost : {};
  const window = isRecord(context_window) ? context_window : {};
  const { context_window_size, current_usage } = window;
  const limits = Object.entries(isRecord(rate_limits) ? rate_limits : {}).flatMap(([name, limit]) => {
    const { used_percentage, resets_at } = isRecord(limit) ? limit : {};
    if (!isCount(used_percentage)) return [];
    const end = isCount(resets_at) ? { resets_at: new Date(resets_at * 1000).toISOString() } : {};
    return [[name, { used_percentage, ...end }] as const];
  });
  return {
    ...(isCount(total_cost_usd) ? { cost_usd: total_cost_usd } : {}),
    // Absent until the model has answered once.
    ...(isRecord(current_usage) ? { context_tokens: sumOf(current_usage) } : {}),
    ...(isCount(context_window_size) && context_window_size > 0
      ? { context_window: context_window_size }
      : {}),
    ...(limits.length === 0 ? {} : { rate_limits: Object.fromEntries(limits) }),
  };
}

/** The input, from the cache or not, and the output of the last call. */
const COUNTED = [
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "output_tokens",
] as const;

function sumOf(usage: Readonly<Record<string, unknown>>): number {
  return COUNTED.map((key) => usage[key])
    .filter(isCount)
    .reduce((sum, count) => sum + count, 0);
}

/** More than any session has, and later than anybody's limit ends. */
const NONSENSE = 1e12;

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < NONSENSE;
}
