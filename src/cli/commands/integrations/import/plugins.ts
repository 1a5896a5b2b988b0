import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { ForeignPlugin, Integration, SettingsPlaces } from "../../../../adapters/integration.ts";
import { valueAt } from "../../../../adapters/settings/json-edit.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { orElse, readSettings } from "../../../../install/settings-files.ts";
import {
  claudePlugin,
  pluginData,
  pluginOfFolder,
  pluginVariables,
} from "../../../../node/claude-plugins.ts";

/** A path, or the folder of the plug-in with this name. */
export function namedPath(
  name: string,
  integration: Integration,
  places: SettingsPlaces,
  cwd: string,
): string {
  const path = resolve(cwd, name);
  if (integration.importing?.plugins !== true || statSync(path, { throwIfNoEntry: false }) !== undefined)
    return path;
  return claudePlugin(name, places.environment, places.root)?.folder ?? path;
}

export function pluginFiles(folder: string): readonly string[] {
  const manifest = join(folder, ".claude-plugin", "plugin.json");
  const hooks = valueAt(readSettings(manifest), ["hooks"]);
  const named = [hooks].flat().filter((one) => typeof one === "string");
  const files = [join(folder, "hooks", "hooks.json"), ...named.map((name) => resolve(folder, name))];
  const found = [...new Set(files)].filter(
    (file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true,
  );
  return isRecord(hooks) ? [...found, manifest] : found;
}

/** The plug-in in a folder, by the name that its agent or its manifest has for it. */
export function foreignPlugin(folder: string, { environment, root }: SettingsPlaces): ForeignPlugin {
  const id = pluginOfFolder(folder, environment, root);
  const manifest = orElse(undefined, () =>
    valueAt(readSettings(join(folder, ".claude-plugin", "plugin.json")), ["name"]),
  );
  const name =
    id?.split("@")[0] ?? (typeof manifest === "string" && manifest !== "" ? manifest : basename(folder));
  const variables = pluginVariables({ folder, data: pluginData(id ?? name, environment) });
  return { name, folder, variables, id };
}

export function pluginOf(file: string): string | undefined {
  const folder = dirname(file);
  if (basename(folder) === ".claude-plugin") return dirname(folder);
  return basename(file) === "hooks.json" && basename(folder) === "hooks" ? dirname(folder) : undefined;
}
