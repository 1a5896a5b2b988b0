import { dirname, join } from "node:path";
import type { Integration } from "../adapters/integration.ts";
import { isHookHandler } from "../adapters/settings/call-without-shell.ts";
import { HOOK_COMMAND } from "../adapters/settings/hook-command.ts";
import { type SettingsPath, valueAt } from "../adapters/settings/json-edit.ts";
import { isRecord, listOf } from "../core/base/json.ts";
import { orElse, type SettingsFile } from "./settings-files.ts";

/** A hook in the settings of an agent, as it is there. */
export interface Entry {
  readonly event: string;
  readonly matcher: unknown;
  readonly command: string;
  readonly isOurs: boolean;
  /** Where it is in the file; of a plug-in of ours, where the file begins. */
  readonly path: SettingsPath;
}

/** All hooks in a settings file. Never throws. */
export function entriesOf(
  integration: Integration,
  { file, text }: Pick<SettingsFile, "file" | "text">,
): readonly Entry[] {
  const hooks = orElse(undefined, () => valueAt(text, ["hooks"]));
  if (!isRecord(hooks)) return pluginEntries(integration, { file, text });
  return Object.entries(hooks).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, at) => {
      if (!isRecord(group)) return [];
      // Some agents have no groups: each hook has a matcher of its own.
      const handlers = group.hooks === undefined ? [group] : listOf(group.hooks);
      return handlers.flatMap((handler, place): readonly Entry[] => {
        if (!isRecord(handler)) return [];
        const command = String(handler.command ?? handler.bash ?? handler.url ?? handler.type);
        const path = ["hooks", event, at, ...(group.hooks === undefined ? [] : ["hooks", place])];
        return [{ event, matcher: group.matcher, command, isOurs: isHookHandler(handler), path }];
      });
    }),
  );
}

/** The events for which a plug-in of ours asks, and how it calls us: from its own folder, where it names a path. */
function pluginEntries(
  { settings }: Integration,
  { file, text }: Pick<SettingsFile, "file" | "text">,
): readonly Entry[] {
  return orElse([], () => settings.entered(text)).map(({ native, matcher, command = HOOK_COMMAND }) => ({
    event: native,
    matcher,
    command: command.startsWith(".") ? join(dirname(file), command) : command,
    isOurs: true,
    path: [],
  }));
}
