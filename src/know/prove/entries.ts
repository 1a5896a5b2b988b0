import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import { isHookCommand } from "../../adapters/settings/agent-settings.ts";
import { type SettingsText, valueAt } from "../../adapters/settings/json-edit.ts";
import { isRecord, listOf } from "../../core/base/json.ts";
import { orElse, settingsOf } from "../../hook/installed/settings-files.ts";

/** A hook in the settings of an agent, as it is there. */
export interface Entry {
  readonly event: string;
  readonly matcher: unknown;
  readonly command: string;
  readonly isOurs: boolean;
}

/** The settings of an agent with hooks, as far as they can be read. */
export function settingsIn(integration: Integration, places: SettingsPlaces) {
  return integration.scopes.flatMap((scope) => {
    const read = orElse(undefined, () => settingsOf(integration, scope, places));
    return read === undefined ? [] : [read];
  });
}

/** All hooks that the settings of an agent list. */
export function entriesIn(integration: Integration, places: SettingsPlaces): readonly Entry[] {
  return settingsIn(integration, places).flatMap(({ text }) => entriesOf(text));
}

/** Those that call us. */
export function ourEntries(integration: Integration, places: SettingsPlaces): readonly Entry[] {
  return entriesIn(integration, places).filter(({ isOurs }) => isOurs);
}

export function entriesOf(text: SettingsText): readonly Entry[] {
  const hooks = orElse(undefined, () => valueAt(text, ["hooks"]));
  return Object.entries(isRecord(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group) => {
      const { matcher, hooks: handlers } = isRecord(group) ? group : {};
      return listOf(handlers).flatMap((handler): readonly Entry[] => {
        if (!isRecord(handler)) return [];
        const command = String(handler.command ?? handler.url ?? handler.type);
        return [{ event, matcher, command, isOurs: isHookCommand(handler.command) }];
      });
    }),
  );
}
