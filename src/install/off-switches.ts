import type { Integration, SettingsPlaces, SwitchFile } from "../adapters/integration.ts";
import { isOn, lineIn } from "../adapters/lifts.ts";
import { orElse, readSettings, settingsOf } from "./settings-files.ts";

/** The files and variables that turn the hooks of an agent off, and why. Files that can't be read turn nothing off. */
export function offSwitches(integration: Integration, places: SettingsPlaces) {
  const { switches = {}, scopes } = integration;
  const own = scopes.map((scope): SwitchFile => {
    const file = integration.settingsFile(scope, places);
    return {
      file,
      switchedOff: () => integration.switchedOff?.(settingsOf(integration, scope, places).text),
    };
  });
  const files = [...own, ...(switches.files?.(places) ?? [])].flatMap(({ file, switchedOff }) => {
    const text = orElse(undefined, () => readSettings(file));
    const why = orElse(undefined, () => switchedOff(text));
    // It begins with the key.
    const key = why?.split(" ", 1)[0]?.split(".") ?? [];
    return why === undefined ? [] : [{ where: file, line: lineIn(text ?? "", key), why }];
  });
  const variables = (switches.variables ?? []).filter((name) => isOn(places.environment[name]));
  return [...files, ...variables.map((where) => ({ where, line: undefined, why: "it is set" }))];
}
