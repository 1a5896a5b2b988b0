import type {
  AgentTrust,
  Fault,
  InstalledFile,
  Integration,
  SettingsPlaces,
} from "../adapters/integration.ts";
import type { SettingsText } from "../adapters/settings/json-edit.ts";
import { edited, readSettings, type SettingsFile } from "./settings-files.ts";

/** The file in which an agent records its trust in hooks, and what becomes of it. */
export interface TrustRecord {
  readonly settings: SettingsFile;
  readonly after: SettingsText;
  /** The events of our entries that the agent will skip. */
  readonly untrusted: readonly string[];
}

function recordOf(trust: AgentTrust, places: SettingsPlaces): SettingsFile {
  const file = trust.file(places);
  return { file, scope: undefined, text: readSettings(file) };
}

/**
 * What becomes of the agent's trust when its settings change. It is granted when the user says so, and moves on with
 * entries of ours that were trusted before: only their tools or timeouts have changed.
 *
 * @throws TenterhookError `settings_unreadable`.
 */
export function trustAfterInstall(
  { trust, settings }: Integration,
  before: InstalledFile,
  after: InstalledFile,
  granted: boolean,
  places: SettingsPlaces,
): TrustRecord | undefined {
  if (trust === undefined) return undefined;
  const record = recordOf(trust, places);
  return edited(record, (text): TrustRecord => {
    const wasTrusted =
      settings.installed(before.text).length > 0 && trust.untrusted(before, text).length === 0;
    if (!granted && !wasTrusted)
      return { settings: record, after: text, untrusted: trust.untrusted(after, text) };
    if (trust.untrusted(after, text).length === 0) return { settings: record, after: text, untrusted: [] };
    return { settings: record, after: trust.grant(after, trust.moved(before, after, text)), untrusted: [] };
  });
}

/** The record after an edit that adds no entry of ours. */
export function trustAfterEdit(
  { trust }: Integration,
  before: InstalledFile,
  after: InstalledFile,
  places: SettingsPlaces,
): TrustRecord | undefined {
  if (trust === undefined) return undefined;
  const record = recordOf(trust, places);
  return edited(record, (text) => ({
    settings: record,
    after: trust.moved(before, after, text),
    untrusted: [],
  }));
}

/** Why the agent does not read a file of the project, and the way out; `undefined` when it does. */
export function closedProject(
  { trust, settingsFile }: Integration,
  file: string,
  places: SettingsPlaces,
  version?: string,
): Fault | undefined {
  const isProjects = file === settingsFile("project", places) && file !== settingsFile("user", places);
  if (trust?.closedProject === undefined || !isProjects) return undefined;
  return trust.closedProject(places.root, recordOf(trust, places).text, version);
}

/** The events of our entries that the agent skips. */
export function untrustedIn(
  { trust }: Integration,
  installed: InstalledFile,
  places: SettingsPlaces,
): readonly string[] {
  if (trust === undefined) return [];
  return edited(recordOf(trust, places), (text) => trust.untrusted(installed, text));
}
