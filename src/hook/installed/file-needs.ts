import type { Integration, SettingsPlaces } from "../../adapters/integration.ts";
import type { WantedEvent } from "../../adapters/settings/agent-settings.ts";
import type { SettingsText } from "../../adapters/settings/json-edit.ts";
import type { Needs } from "./needs.ts";
import { asManaged, managedSettings, orElse, type SettingsFile, settingsOf } from "./settings-files.ts";

type Wanted = Pick<Needs, "events" | "committed" | "managed">;

/**
 * The events that are needed in one settings file. The project's is committed, so it has what the committed configuration
 * needs, for everybody alike; a file of the user's has what no other file calls us for, and what it has already.
 */
export function neededIn(
  integration: Integration,
  { scope, text, isManaged = false }: Pick<SettingsFile, "scope" | "text" | "isManaged">,
  needs: Wanted,
  places: SettingsPlaces,
): readonly WantedEvent[] {
  if (scope === "project") return needs.committed;
  if (isManaged) return needs.managed;
  if (scope === undefined) return needs.events;
  const uncalled = uncalledEvents(integration, needs, places);
  const entered = integration.settings.installed(text);
  return needs.events.filter((event) => uncalled.includes(event) || entered.includes(event.native));
}

/**
 * The events for which no settings file calls us as the user's hooks need it, once the project's is what it should be. All
 * when nothing is installed.
 */
export function uncalledEvents(
  integration: Integration,
  { events, committed }: Wanted,
  places: SettingsPlaces,
  isInstalling = false,
): readonly WantedEvent[] {
  const { settings } = integration;
  const texts = integration.scopes.map((scope): SettingsText => {
    const file = orElse(undefined, () => settingsOf(integration, scope, places));
    if (file?.scope !== "project") return file?.text;
    const isCalled = isInstalling || orElse([], () => settings.installed(file.text)).length > 0;
    return isCalled ? settings.install(undefined, committed) : undefined;
  });
  const managed = orElse(undefined, () => managedSettings(integration)?.text);
  return events.filter(
    (event) =>
      !texts.some((text) => orElse(false, () => isCalledFor(integration, text, event))) &&
      !orElse(false, () => isCalledFor(asManaged(integration), managed, event)),
  );
}

/** True when the entry for an event is as it is needed, or goes for more tools. */
function isCalledFor({ settings }: Integration, text: SettingsText, event: WantedEvent): boolean {
  return (
    settings.installed(text).includes(event.native) &&
    settings
      .drifted(text, [event])
      .every(({ narrow, different }) => !narrow && different.every((key) => key === "matcher"))
  );
}

/** The file for events that only the user's own configuration needs: one that calls us already, else the nearest. */
export function ownFile(integration: Integration, places: SettingsPlaces): SettingsFile {
  const files = (["local", "user"] as const)
    .filter((scope) => integration.scopes.includes(scope))
    .map((scope) => settingsOf(integration, scope, places));
  const called = files.find(({ text }) => integration.settings.installed(text).length > 0);
  const [nearest] = files;
  if (nearest === undefined) throw new TypeError(`${integration.table.title} has no settings of a user.`);
  return called ?? nearest;
}
