import { isRecord } from "../../../core/base/json.ts";
import type { SettingsPath } from "../../settings/json-edit.ts";

type Settings = Readonly<Record<string, unknown>>;

/** One handler of a `hooks` section, with what its group says. */
export interface HookEntry {
  readonly event: string;
  /** Where the handler is in the section. */
  readonly path: SettingsPath;
  readonly matcher: unknown;
  readonly handler: Settings;
  /** True for a form that only old versions of Claude Code read. */
  readonly old: boolean;
}

/** The handlers of a `hooks` section, and what could not be read in it. */
export function hookEntries(hooks: unknown): {
  readonly entries: readonly HookEntry[];
  readonly unread: readonly string[];
} {
  const entries: HookEntry[] = [];
  const unread: string[] = [];
  const add = (event: string, path: SettingsPath, matcher: unknown, given: unknown, old: boolean): void => {
    const handler = typeof given === "string" ? { type: "command", command: given } : given;
    if (!isRecord(handler)) unread.push(`hooks.${path.join(".")} is no hook and was skipped.`);
    else if (handler.type === undefined && handler.command !== undefined)
      entries.push({ event, path, matcher, handler: { type: "command", ...handler }, old: true });
    else entries.push({ event, path, matcher, handler, old: old || typeof given === "string" });
  };
  const addGroup = (event: string, path: SettingsPath, group: unknown): void => {
    if (!isRecord(group)) add(event, path, undefined, group, true);
    else if (Array.isArray(group.hooks))
      for (const [at, handler] of group.hooks.entries())
        add(event, [...path, "hooks", at], group.matcher, handler, false);
    else if (typeof group.hooks === "string") add(event, path, group.matcher, group.hooks, true);
    else if (group.command !== undefined || group.type !== undefined) {
      // Before there were groups, the handler had the matcher.
      const { matcher, event: _, ...handler } = group;
      add(event, path, matcher, handler, true);
    } else unread.push(`hooks.${path.join(".")} has no list of hooks and was skipped.`);
  };
  if (Array.isArray(hooks)) {
    for (const [at, entry] of hooks.entries()) {
      const event: unknown = isRecord(entry) ? entry.event : undefined;
      if (typeof event === "string") addGroup(event, [at], entry);
      else unread.push(`hooks.${at} names no event and was skipped.`);
    }
    return { entries, unread };
  }
  for (const [event, groups] of Object.entries(isRecord(hooks) ? hooks : {})) {
    if (Array.isArray(groups))
      for (const [at, group] of groups.entries()) addGroup(event, [event, at], group);
    else if (typeof groups === "string") add(event, [event], undefined, groups, true);
    else if (isRecord(groups) && Object.keys(groups).length > 0)
      // Commands by matcher.
      for (const [matcher, commands] of Object.entries(groups))
        for (const command of [commands].flat()) add(event, [event, matcher], matcher, command, true);
    else unread.push(`hooks.${event} is no list and was skipped.`);
  }
  return { entries, unread };
}
