import { isRecord, sameJson } from "../core/base/json.ts";
import { eventRow } from "../core/events/event-table.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import { camelCased } from "./copilot-payload.ts";
import { replySite } from "./reply/reply-site.ts";

/**
 * What a foreign agent sent for an event: its text, or the same object with the input that other hooks wrote, because a
 * gate must judge what will run. `undefined` when the event does not come from a foreign agent.
 */
export function nativeText(
  event: AnyEvent,
  text: string | undefined,
  keys?: "camelCase",
): string | undefined {
  const { native } = event;
  if (!isRecord(native)) return undefined;
  const changes = { ...askedInstead(event, native), ...rewritten(event, native) };
  if (keys === "camelCase" && event.host === "copilot")
    return JSON.stringify(camelCased({ ...native, ...changes }));
  if (Object.keys(changes).length === 0 && text !== undefined) return text;
  return `${JSON.stringify({ ...native, ...changes })}\n`;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that hooks have rewritten. Claude Code has the same names for them. */
function rewritten(event: AnyEvent, native: Fields): Fields {
  const fields = (replySite(event).known?.rewrites ?? []).map(([field]) => field);
  const changed = fields.filter((field) => field in native && !sameJson(native[field], event[field]));
  return Object.fromEntries(changed.map((field) => [field, event[field]]));
}

/** The name of an event whose gates are asked about an input that was rewritten at another event. */
function askedInstead({ hook_event_name: asked }: AnyEvent, { hook_event_name: sent }: Fields): Fields {
  const row = typeof sent === "string" ? eventRow(sent) : undefined;
  return row?.rechecks_with === asked ? { hook_event_name: asked } : {};
}
