import type { Integration, SettingsPlaces } from "../../../../adapters/integration.ts";
import { managedSettings, orElse, settingsOf } from "../../../../hook/installed/settings-files.ts";
import { lastLoaded } from "../../../../hook/last-gate.ts";
import { shortPath } from "../../../command-line/screen/text.ts";
import { seatFolder, staleFiles } from "../../../integrations/last-gate.ts";
import type { Finding } from "./checks.ts";

/**
 * Whether the agent loads our plug-in before all others, as far as settings and what it reported say. No agent is started.
 * Never throws.
 */
export function lastGateFindings(
  integration: Integration,
  places: SettingsPlaces,
  version: string | undefined,
  cwd: string,
): readonly Finding[] {
  const { lastGate, adapter, table } = integration;
  if (lastGate === undefined) return [];
  const { name: about } = adapter;
  const say = (level: Finding["level"], message: string): readonly Finding[] => [{ level, about, message }];
  const user = orElse(undefined, () => settingsOf(integration, "user", places));
  const managed = orElse(undefined, () => managedSettings(integration));
  const called = [managed, user].filter(
    (one) =>
      one !== undefined &&
      orElse([], () => integration.settings.installed(one.text)).includes(lastGate.event),
  );
  const seated = called.find(
    (one) => one !== undefined && orElse(undefined, () => lastGate.folderIn(one.text)) !== undefined,
  );
  const [first = user] = called;
  if (first === undefined) return [];
  const path = shortPath(first.file, cwd);
  const mend =
    first.isManaged === true ? `sudo tenterhook install ${about} --managed` : "tenterhook install --sync";
  if (seated === undefined) {
    if (called.length === 0) return [];
    const overruled = first.isManaged === true ? undefined : lastGate.overruledBy();
    if (overruled !== undefined) return say("note", lastGate.without.replace(/: .*$/, "."));
    return say("warning", `${path} does not put our plug-in first, so others can lift a refusal: ${mend}.`);
  }
  const folder = seatFolder(integration, seated, places.environment);
  if (lastGate.folderIn(seated.text) !== folder || staleFiles(integration, folder).length > 0)
    return say(
      "error",
      `Our plug-in in ${shortPath(folder, cwd)} is missing or not of this version: ${mend}.`,
    );
  const loaded = lastLoaded({ ...places.environment });
  if (loaded === undefined)
    return say(
      "note",
      `${path} puts our plug-in first. ${table.title} has not loaded it yet; it reports here when it does.`,
    );
  const others = version === loaded.version ? "" : ` ${version} has not yet.`;
  return say(
    others === "" ? "ok" : "note",
    `${table.title} ${loaded.version} loaded our plug-in on ${loaded.time.slice(0, 10)}.${version === undefined ? "" : others}`,
  );
}
