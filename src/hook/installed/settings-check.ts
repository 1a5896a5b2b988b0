import type { Integration, SettingsPlaces, SettingsScope } from "../../adapters/integration.ts";
import type { Drifted, Unread } from "../../adapters/settings/agent-settings.ts";
import { errorMessage } from "../../core/base/error-text.ts";
import { untrustedIn } from "./agent-trust.ts";
import { neededIn } from "./file-needs.ts";
import type { Needs } from "./needs.ts";
import {
  asManaged,
  eventsFor,
  managedSettings,
  orElse,
  type SettingsFile,
  settingsOf,
} from "./settings-files.ts";

/** An agent's settings file compared with what the hooks in force need. */
export interface Checked {
  readonly scope: SettingsScope | "managed";
  readonly file: string;
  /** The events with an entry of ours. */
  readonly events: readonly string[];
  /** Events that hooks need and that have no entry. */
  readonly missing: readonly string[];
  /** Events with an entry that no hook needs; empty for a file that other folders share. */
  readonly extra: readonly string[];
  /** Our entries that differ from what would be written now. */
  readonly drifted: readonly Drifted[];
  /** Why the agent ignores a file that we can read. */
  readonly unread?: Unread;
  /** Why the file can't be read. */
  readonly problem?: string;
  /** The events of our entries that the agent skips, because its user has not trusted them. */
  readonly untrusted?: readonly string[];
}

/** Checks every settings file of an agent; without `needs`, only what is installed. Never throws. */
export function checkSettings(
  integration: Integration,
  needs: Needs | undefined,
  places: SettingsPlaces,
): readonly Checked[] {
  const own = integration.scopes.map((scope) =>
    checked(scope, () => settingsOf(integration, scope, places), integration, needs, places),
  );
  const managed = orElse(undefined, () => managedSettings(integration));
  // Most machines have none.
  if (managed?.text === undefined) return own;
  return [...own, checked("managed", () => managed, asManaged(integration), needs, places)];
}

function checked(
  scope: Checked["scope"],
  read: () => SettingsFile,
  integration: Integration,
  needs: Needs | undefined,
  places: SettingsPlaces,
): Checked {
  let file: string = scope;
  try {
    const settings = read();
    const { text } = settings;
    file = settings.file;
    const events = integration.settings.installed(text);
    const unread = integration.settings.unread(text);
    const needed = needs === undefined ? [] : neededIn(integration, settings, needs, places);
    const wanted = needs === undefined ? [] : eventsFor(integration, settings, text, needed, places.root);
    const isWanted = (event: string) => wanted.some(({ native }) => native === event);
    return {
      scope,
      file,
      events,
      missing:
        events.length === 0
          ? []
          : needed.map(({ native }) => native).filter((event) => !events.includes(event)),
      extra: needs === undefined ? [] : events.filter((event) => !isWanted(event)),
      drifted: integration.settings.drifted(text, wanted),
      ...(unread === undefined ? {} : { unread }),
      ...untrustedIn(integration, { file, text }, places),
    };
  } catch (error) {
    return { scope, file, events: [], missing: [], extra: [], drifted: [], problem: errorMessage(error) };
  }
}
