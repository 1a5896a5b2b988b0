import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Usage } from "../../core/contracts/transcript.ts";

/** What model calls have used. */
export type UsageTotals = {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  /** Input tokens from the provider's cache. */
  cached_tokens: number;
  /** Input tokens written to the provider's cache; present once there were any. */
  cache_write_tokens?: number;
  /** Output tokens that the model spent on thinking; present once there were any. */
  reasoning_tokens?: number;
  /** Present once a call had a price. */
  cost_usd?: number;
};

/** Returns the cost of a call in dollars; `undefined` if it is unknown. */
export type Price = (model: string, usage: LanguageModelV3Usage) => number | undefined;

export function noUsage(): UsageTotals {
  return { input_tokens: 0, output_tokens: 0, total_tokens: 0, cached_tokens: 0 };
}

/** Reads the usage that a store has saved. */
export function usedBefore(stored: Usage = {}): UsageTotals {
  const usage = noUsage();
  for (const key of ["input_tokens", "output_tokens", "total_tokens", "cached_tokens"] as const) {
    const value = stored[key];
    usage[key] = typeof value === "number" ? count(value) : 0;
  }
  for (const key of ["cache_write_tokens", "reasoning_tokens"] as const) {
    const value = stored[key];
    if (typeof value === "number" && value > 0) usage[key] = value;
  }
  if (stored.cost_usd !== undefined) usage.cost_usd = stored.cost_usd;
  return usage;
}

/** The usage of a session, before and after it was resumed. */
export function sessionUsage(session: {
  readonly usage: UsageTotals;
  readonly used_before: UsageTotals;
}): UsageTotals {
  const total = { ...session.used_before };
  addUsage(total, session.usage);
  return total;
}

/** Converts the usage that a provider reports, and adds its price. */
export function usageOf(
  reported: LanguageModelV3Usage,
  model: string,
  price: Price | undefined,
): UsageTotals {
  const usage = noUsage();
  usage.input_tokens = count(reported.inputTokens.total);
  usage.output_tokens = count(reported.outputTokens.total);
  usage.total_tokens = usage.input_tokens + usage.output_tokens;
  usage.cached_tokens = count(reported.inputTokens.cacheRead);
  const written = count(reported.inputTokens.cacheWrite);
  const reasoned = count(reported.outputTokens.reasoning);
  if (written > 0) usage.cache_write_tokens = written;
  if (reasoned > 0) usage.reasoning_tokens = reasoned;
  const cost = price?.(model, reported);
  if (cost !== undefined) usage.cost_usd = cost;
  return usage;
}

export function addUsage(totals: UsageTotals, more: UsageTotals): void {
  totals.input_tokens += more.input_tokens;
  totals.output_tokens += more.output_tokens;
  totals.total_tokens += more.total_tokens;
  totals.cached_tokens += more.cached_tokens;
  for (const key of ["cache_write_tokens", "reasoning_tokens"] as const) {
    const value = more[key];
    if (value !== undefined) totals[key] = (totals[key] ?? 0) + value;
  }
  if (more.cost_usd !== undefined) totals.cost_usd = (totals.cost_usd ?? 0) + more.cost_usd;
}

function count(value: number | undefined): number {
  return value !== undefined && value > 0 ? value : 0;
}
