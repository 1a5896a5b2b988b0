import type { SettingsPlaces } from "../adapters/integration.ts";
import { forgetInstallation, recordInstallation } from "../config/find/installations.ts";
import { changedFiles, settingsDiff, writeSettings } from "./change-files.ts";
import type { Change, InstallChange, UninstallChange } from "./plan.ts";
import { removeSeat, writeSeat } from "./seat.ts";
import { optionFor } from "./settings-files.ts";

/**
 * Writes a file and the agent's trust in it, with a backup of each.
 *
 * @returns the paths of the backups, the file's first; `undefined` for one that is not there.
 * @throws TenterhookError `write_failed`, `state_unwritable`.
 */
export async function applyChange(
  { settings, after, trust }: Change,
  environment: NodeJS.ProcessEnv,
): Promise<readonly (string | undefined)[]> {
  const backup = after === settings.text ? undefined : await writeSettings(settings, after, environment);
  if (trust === undefined || trust.after === trust.settings.text) return [backup];
  return [backup, await writeSettings(trust.settings, trust.after, environment)];
}

/** The same lines as a difference. */
export function changeDiff({ settings, after, trust }: Change): readonly string[] {
  return [
    ...settingsDiff(settings, after),
    ...(trust === undefined ? [] : settingsDiff(trust.settings, trust.after)),
  ];
}

/** Writes what an agent needs to call us, and remembers the files, so that it is noticed when one of them does no more. */
export async function applyInstall(
  change: InstallChange,
  places: SettingsPlaces,
): Promise<string | undefined> {
  const { integration, settings, after, events, stale } = change;
  const environment = { ...places.environment };
  const isShared = settings.scope === "user" || settings.isManaged === true;
  // The plug-in first: settings that name a missing one would be reported by the agent.
  await writeSeat(stale, settings.isManaged === true);
  const [backup] = await applyChange(change, environment);
  const about = {
    agent: integration.adapter.name,
    option: optionFor(integration, settings),
    ...(isShared ? {} : { project: places.root }),
  };
  for (const one of events.length === 0 ? [] : changedFiles(settings, after)) {
    if (one.after === undefined) forgetInstallation(one.file, environment);
    else await recordInstallation({ ...about, file: one.file }, environment);
  }
  return backup;
}

/** Takes us out of an agent. */
export async function applyUninstall(
  change: UninstallChange,
  places: SettingsPlaces,
): Promise<string | undefined> {
  const { integration, settings, after, seat } = change;
  const environment = { ...places.environment };
  const [backup] = await applyChange(change, environment);
  if (seat !== undefined) await removeSeat(integration, seat, places);
  for (const one of changedFiles(settings, after)) forgetInstallation(one.file, environment);
  return backup;
}
