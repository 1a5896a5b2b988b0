import type { Adapter, DecodedEvent } from "../../adapters/adapter.ts";
import type { EventConfig } from "../../config/cache/event-config.ts";
import { isRecord } from "../../core/base/json.ts";
import type { Usage } from "../../core/contracts/transcript.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";

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
    const { usageOf } = await import("./usage-of.ts");
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
