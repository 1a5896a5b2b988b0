import type { ModelCall, NativeUsage } from "../../adapters/adapter.ts";
import type { Usage } from "../../core/contracts/transcript.ts";
import { contextLeft } from "../../shared/context-left.ts";
import { contextWindow } from "../../shared/context-window.ts";
import { costOf, type ModelPrices } from "../../shared/prices.ts";

/** The sums over model calls, their cost where every model has a price, and how full the last one left the context. */
export function usageOf({ calls, before }: NativeUsage, prices: ModelPrices = {}): Usage {
  const [last = before] = calls;
  const input_tokens = sum(calls.map((call) => call.input_tokens));
  const output_tokens = sum(calls.map((call) => call.output_tokens));
  const costs = calls.map((call) => costOfCall(call, prices));
  const known = costs.filter((cost) => cost !== undefined);
  return {
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    cached_tokens: sum(calls.map(({ cached_tokens = 0 }) => cached_tokens)),
    ...(known.length < costs.length ? {} : { cost_usd: sum(known) }),
    ...(last === undefined
      ? {}
      : contextLeft(
          last.input_tokens + last.output_tokens,
          last.context_window ?? contextWindow(last.model ?? ""),
        )),
  };
}

function costOfCall(call: ModelCall, prices: ModelPrices): number | undefined {
  const { model, cost_usd, input_tokens, output_tokens, cached_tokens, cache_write_tokens } = call;
  if (cost_usd !== undefined || model === undefined) return cost_usd;
  const inputTokens = { total: input_tokens, cacheRead: cached_tokens, cacheWrite: cache_write_tokens };
  return costOf(model, { inputTokens, outputTokens: { total: output_tokens } }, prices);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
