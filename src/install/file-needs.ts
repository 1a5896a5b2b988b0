import type { WantedEvent } from "../adapters/settings/agent-settings.ts";
import type { Installation, InstallationFile } from "./installation.ts";
import type { Needs } from "./needs.ts";
import { orElse, type SettingsFile } from "./settings-files.ts";

type Wanted = Pick<Needs, "events" | "committed" | "managed">;

/**
 * The events that are needed in one settings file. The project's is committed, so it has what the committed configuration
 * needs, for everybody alike; a file of the user's has what no other file calls us for, and what it has already.
 */
export function neededIn(
  { scope, text, isManaged = false }: Pick<SettingsFile, "scope" | "text" | "isManaged">,
  needs: Wanted,
  installation: Installation,
): readonly WantedEvent[] {
  if (scope === "project") return needs.committed;
  if (isManaged) return needs.managed;
  if (scope === undefined) return needs.events;
  const uncalled = uncalledEvents(installation, needs);
  const entered = installation.integration.settings.installed(text);
  return needs.events.filter((event) => uncalled.includes(event) || entered.includes(event.native));
}

/**
 * The events for which no settings file calls us as the user's hooks need it, once the project's is what it should be. All
 * when nothing is installed.
 */
export function uncalledEvents(
  { files }: Installation,
  { events, committed }: Wanted,
  isInstalling = false,
): readonly WantedEvent[] {
  const calling = files.map((file): InstallationFile => {
    if (file.scope !== "project") return file;
    const isCalled = isInstalling || file.events.length > 0;
    const text = isCalled ? file.integration.settings.install(undefined, committed) : undefined;
    return { ...file, text, events: isCalled ? committed.map(({ native }) => native) : [] };
  });
  return events.filter((event) => !calling.some((file) => isCalledFor(file, event)));
}

/** True when the entry for an event is as it is needed, or goes for more tools. */
function isCalledFor({ events, text, integration }: InstallationFile, event: WantedEvent): boolean {
  return (
    events.includes(event.native) &&
    orElse(false, () =>
      integration.settings
        .drifted(text, [event])
        .every(({ narrow, different }) => !narrow && different.every((key) => key === "matcher")),
    )
  );
}

/** The file for events that only the user's own configuration needs: one that calls us already, else the nearest. */
export function ownFile({ own, integration }: Installation): InstallationFile {
  const files = (["local", "user"] as const).flatMap(
    (scope) => own.find((file) => file.scope === scope) ?? [],
  );
  const called = files.find(({ events }) => events.length > 0);
  const [nearest] = files;
  if (nearest === undefined) throw new TypeError(`${integration.table.title} has no settings of a user.`);
  return called ?? nearest;
}
