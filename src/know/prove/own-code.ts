import { accessSync, constants, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Integration, PluginSources, SettingsPlaces } from "../../adapters/integration.ts";
import { readFile } from "../../adapters/lifts.ts";
import { isRecord, listOf } from "../../core/base/json.ts";
import { entriesOf } from "../../install/entries.ts";
import { installationOf } from "../../install/installation.ts";
import { copyFolder } from "./copy-folder.ts";
import { movedPaths } from "./driver.ts";

/** Code of the person's that an agent loads besides its settings: a plug-in, an extension, a skill with a module. */
export interface OwnCode {
  readonly name: string;
  /** The file that says what runs. */
  readonly file: string;
  /** Modules, and commands with their event. */
  readonly runs: readonly string[];
}

/** The files in which plug-ins have their names. */
const MANIFESTS = [".claude-plugin/plugin.json", "gemini-extension.json"];

/** What the agent loads here, as doctor finds it; nothing for an agent whose plug-ins can't be copied. Never throws. */
export function ownCode(integration: Integration, places: SettingsPlaces): readonly OwnCode[] {
  if (integration.pluginSources === undefined) return [];
  return (integration.hookFiles?.(places) ?? []).flatMap((path) => {
    const { file, text, value } = readFile(path);
    const modules = listOf(value(["modules"])).map(String);
    const commands = entriesOf(integration, { file, text }).map(
      ({ command, event }) => `${command} on ${event}`,
    );
    const runs = [...modules, ...commands];
    const folder = dirname(dirname(file));
    const [name = basename(folder)] = MANIFESTS.map((manifest) =>
      readFile(join(folder, manifest)).value(["name"]),
    ).filter((one) => typeof one === "string");
    return runs.length === 0 ? [] : [{ name, file, runs }];
  });
}

/** Credentials of plug-ins; settings and history of a repository that is one. */
const LEFT_OUT = /^(?:\.git|\.claude|\.env(?:\..+)?|\.netrc|\.?credentials(?:\.json)?)$/;

function isCopied(path: string): boolean {
  const status = statSync(path);
  if (LEFT_OUT.test(basename(path)) || !(status.isDirectory() || status.isFile())) return false;
  accessSync(path, constants.R_OK);
  return true;
}

/**
 * Copies the person's own code to where the agent loads it in the copy of their home, and no hooks of other plug-ins than
 * these. Returns the variables that the agent needs to find it.
 */
export function copyOwnCode(
  integration: Integration,
  [real, places]: readonly [SettingsPlaces, SettingsPlaces],
  moved: (path: string) => string,
  mine: readonly OwnCode[],
): PluginSources["variables"] {
  const { paths = [], keys = [], files = {}, variables } = integration.pluginSources?.(real, moved) ?? {};
  for (const path of paths) {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status?.isDirectory() === true) copyFolder(path, moved(path), isCopied);
    else if (status !== undefined) write(moved(path), movedPaths(readFile(path).text ?? "", moved));
  }
  for (const [name, content] of Object.entries(files))
    write(join(places.home, name), JSON.stringify(content));
  for (const { scope, file, text } of installationOf(integration, places).own) {
    const now = readFile(file).value([]);
    if (text === undefined || scope === undefined || !isRecord(now)) continue;
    const { value } = readFile(integration.settingsFile(scope, real));
    const named = keys.flatMap((key) => (value([key]) === undefined ? [] : [[key, value([key])]]));
    write(
      file,
      JSON.stringify({ ...now, ...JSON.parse(movedPaths(JSON.stringify(Object.fromEntries(named)), moved)) }),
    );
  }
  const chosen = new Set(mine.map(({ file }) => file));
  for (const { file } of ownCode(integration, real))
    if (!chosen.has(file)) rmSync(moved(file), { force: true });
  return variables;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
