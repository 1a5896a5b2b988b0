import type { Adapter, DecodedEvent, ModelCall, NativeUsage } from "../adapters/adapter.ts";
import type { EventConfig } from "../config/cache/event-config.ts";
import { isRecord } from "../core/base/json.ts";
import type { Usage } from "../core/contracts/transcript.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import { contextLeft } from "../shared/context-left.ts";
import { contextWindow } from "../shared/models.ts";
import { costOf, type ModelPrices } from "../shared/prices.ts";

/**
 * The event with what its turn has used so far, when a hook on it reads that: the agent's transcript is not opened for any
 * other event. Never rejects.
 */
export async function withUsage(
  event: DecodedEvent,
  adapter: Adapter,
  { hooks, prices }: Pick<EventConfig, "hooks" | "prices">,
): Promise<DecodedEvent> {
  if (adapter.usage === undefined || !hooks.some(({ hook }) => hook.reads_usage)) return event;
  const usage = await usageNow(event, adapter, prices);
  return usage === undefined ? event : { ...event, usage };
}

/** Where the transcript may still end with an earlier turn. */
const BEFORE_TURN: readonly unknown[] = ["SessionStart", "UserPromptSubmit"];

/** What the turn of an event has used so far; `undefined` where the agent's transcript does not say it. Never rejects. */
export async function usageNow(
  { native, hook_event_name }: Readonly<Record<string, unknown>>,
  adapter: Adapter,
  prices: EventConfig["prices"],
) {
  try {
    const found = isRecord(native) ? await adapter.usage?.(native) : undefined;
    if (found === undefined) return undefined;
    if (!BEFORE_TURN.includes(hook_event_name)) return usageOf(found, prices);
    const [before = found.before] = found.calls;
    return usageOf({ calls: [], ...(before && { before }) }, prices);
  } catch {
    return undefined;
  }
}

/** What the turn of a decided event has used, for the monitor. Never rejects. */
export async function usageReported(
  { hook_event_name, usage }: AnyEvent,
  event: DecodedEvent,
  adapter: Adapter,
  prices: EventConfig["prices"],
): Promise<Usage | undefined> {
  if (BEFORE_TURN.includes(hook_event_name)) return undefined;
  return usage?.context_tokens === undefined ? usageNow(event, adapter, prices) : usage;
}

/** The sums over model calls, their cost where every model has a price, and how full the last one left the context. */
export function usageOf({ calls, before, besides = [] }: NativeUsage, prices: ModelPrices = {}): Usage {
  const [last = before] = calls;
  const all = [...calls, ...besides];
  const input_tokens = sum(all.map((call) => call.input_tokens));
  const output_tokens = sum(all.map((call) => call.output_tokens));
  const costs = all.map((call) => costOfCall(call, prices));
  const known = costs.filter((cost) => cost !== undefined);
  return {
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    cached_tokens: sum(all.map(({ cached_tokens = 0 }) => cached_tokens)),
    ...(known.length < costs.length ? {} : { cost_usd: sum(known) }),
    ...(last === undefined ? {} : contextOf(last)),
  };
}

/** How full a call left its context. Where the agent does not name the window, the table of models does. */
function contextOf({ input_tokens, output_tokens, model = "", ...said }: ModelCall): Usage {
  const window = said.context_window ?? contextWindow(model);
  const left = contextLeft(input_tokens + output_tokens, window);
  const isInferred = said.context_window === undefined || said.window_inferred === true;
  return { ...left, ...(window !== undefined && isInferred ? { context_inferred: true } : {}) };
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
