import type { ImportedHook } from "../../../../adapters/integration.ts";
import { removeItems, type SettingsPath, valueAt } from "../../../../adapters/settings/json-edit.ts";
import { isRecord, sameJson } from "../../../../core/base/json.ts";
import { withoutHooks } from "./front-matter.ts";
import type { ImportSource } from "./sources.ts";

/**
 * The text of a source without these hooks; everything else stays as it is written. Front matter loses all its hooks or
 * none.
 */
export function withoutOriginals(
  { text, section }: ImportSource,
  removed: readonly ImportedHook[],
  all: readonly ImportedHook[],
): string {
  if (section === undefined) return removed.length === all.length ? withoutHooks(text) : text;
  const places: SettingsPath[] = [];
  for (const { path } of removed) {
    const group = groupOf(path);
    const inGroup = removed.filter((one) => sameJson(groupOf(one.path), group)).length;
    const place = [...section, ...(inGroup === handlersIn(text, [...section, ...group]) ? group : path)];
    if (!places.some((one) => sameJson(one, place))) places.push(place);
  }
  return removeItems(text, places) ?? "{}\n";
}

/** The path of the group that a handler is in; its own when it is in none. */
function groupOf(path: SettingsPath): SettingsPath {
  const at = path.lastIndexOf("hooks");
  return at === -1 ? path : path.slice(0, at);
}

/** How many handlers a group has, ours included. */
function handlersIn(text: string, group: SettingsPath): number {
  const value = valueAt(text, group);
  return isRecord(value) && Array.isArray(value.hooks) ? value.hooks.length : 1;
}
