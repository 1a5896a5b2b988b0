import type { Integration, SettingsPlaces, SettingsScope } from "../adapters/integration.ts";
import type { Unread } from "../adapters/settings/agent-settings.ts";
import { atPlace, isTenterhookError, type TenterhookError } from "../core/base/errors.ts";
import { untrustedIn } from "./agent-trust.ts";
import { type Entry, entriesOf } from "./entries.ts";
import { offSwitches } from "./off-switches.ts";
import { asManaged, managedSettings, type SettingsFile, settingsOf } from "./settings-files.ts";

/** One settings file of an agent, and what it says to the agent about us. */
export interface InstallationFile extends SettingsFile {
  /** Where `install` finds it. In the home folder the project's is the user's. */
  readonly place: SettingsScope | "managed";
  /** The agent as it reads this file. */
  readonly integration: Integration;
  /** The events for which it calls us. */
  readonly events: readonly string[];
  /** All hooks in it, ours and others. */
  readonly entries: readonly Entry[];
  /** Why the agent ignores a file that we can read. */
  readonly unread?: Unread;
  /** The events of our entries that the agent skips, because its user has not trusted them. */
  readonly untrusted: readonly string[];
  /** Why we can't read it; nothing else is known then. */
  readonly problem?: TenterhookError;
}

/** The one look at an agent's settings: everything that is said about an installation follows from it. */
export interface Installation {
  readonly integration: Integration;
  readonly places: SettingsPlaces;
  /** Those of the scopes, each file once: what a user may change. */
  readonly own: readonly InstallationFile[];
  /** The same with the administrator's. */
  readonly files: readonly InstallationFile[];
  /** Those that call us. */
  readonly installed: readonly InstallationFile[];
  /** What turns all hooks of the agent off. */
  readonly off: ReturnType<typeof offSwitches>;
}

/** Never throws. */
export function installationOf(integration: Integration, places: SettingsPlaces): Installation {
  const ofScopes = integration.scopes.map((scope) =>
    fileAt(scope, () => settingsOf(integration, scope, places), integration, places),
  );
  const own = [...new Map(ofScopes.map((one) => [one.file, one])).values()];
  const managed = fileAt("managed", () => managedSettings(integration), asManaged(integration), places);
  // Most machines have none.
  const isThere = managed.text !== undefined || managed.problem !== undefined;
  const files = isThere ? [...own, managed] : own;
  const installed = files.filter(({ events }) => events.length > 0);
  let off: Installation["off"] | undefined;
  return {
    integration,
    places,
    own,
    files,
    installed,
    // Many look for nothing but entries.
    get off() {
      off ??= offSwitches(integration, places);
      return off;
    },
  };
}

function fileAt(
  place: InstallationFile["place"],
  read: () => SettingsFile | undefined,
  integration: Integration,
  places: SettingsPlaces,
): InstallationFile {
  const isManaged = place === "managed";
  const settings: SettingsFile = { file: place, scope: isManaged ? undefined : place, text: undefined };
  let known: InstallationFile = { ...settings, place, integration, events: [], entries: [], untrusted: [] };
  try {
    known = { ...known, ...read() };
    const { text } = known;
    const { installed, unread: whyUnread } = integration.settings;
    known = { ...known, events: installed(text), entries: entriesOf(integration, known) };
    const unread = whyUnread(text);
    if (unread !== undefined) known = { ...known, unread };
    return { ...known, untrusted: untrustedIn(integration, known, places) };
  } catch (error) {
    if (!isTenterhookError(error)) throw error;
    return { ...known, problem: error };
  }
}

/**
 * The file, for who writes it.
 *
 * @throws TenterhookError `settings_unreadable` when it can't be read.
 */
export function readable(file: InstallationFile): InstallationFile {
  const { problem, file: path } = file;
  if (problem === undefined) return file;
  throw problem.message.includes(path) ? problem : atPlace(problem, path);
}
