import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { isRecord, parseJson } from "../core/base/json.ts";
import { isInside } from "./files/real-path.ts";
import { regularText } from "./files/regular-file.ts";
import { homeFolder } from "./user-folders.ts";

/** A plug-in that Claude Code has installed. */
export interface ClaudePlugin {
  /** `name@marketplace`. */
  readonly id: string;
  /** The folder of the version in force; a new one with each update. */
  readonly folder: string;
  /** The folder for what it stores, which updates leave alone. */
  readonly data: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const MOST_BYTES = 10_000_000;

function pluginsFolder(environment: Environment): string {
  const { CLAUDE_CONFIG_DIR: given } = environment;
  const folder = given !== undefined && isAbsolute(given) ? given : join(homeFolder(environment), ".claude");
  return join(folder, "plugins");
}

/** The file in which Claude Code records its plug-ins. */
export function claudePluginsFile(environment: Environment): string {
  return join(pluginsFolder(environment), "installed_plugins.json");
}

/** The plug-ins that are installed for this user, or for the project. Never throws. */
export function claudePlugins(environment: Environment, project?: string): readonly ClaudePlugin[] {
  const record = parseJson(regularText(claudePluginsFile(environment), MOST_BYTES) ?? "");
  const plugins = isRecord(record) && isRecord(record.plugins) ? record.plugins : {};
  return Object.entries(plugins).flatMap(([id, installed]) => {
    const entries = [installed].flat().filter(isRecord);
    const entry =
      entries.find(({ projectPath }) => projectPath !== undefined && projectPath === project) ??
      entries.find(({ projectPath }) => projectPath === undefined);
    const folder = entry === undefined ? undefined : folderOf(id, entry, environment);
    if (folder === undefined) return [];
    return [{ id, folder, data: pluginData(id, environment) }];
  });
}

/** Where a plug-in stores what updates leave alone. */
export function pluginData(id: string, environment: Environment): string {
  return join(pluginsFolder(environment), "data", id.replaceAll(/[^A-Za-z0-9_-]/g, "-"));
}

/** As recorded, which may be the path of another machine; then where such a plug-in always is. */
function folderOf(
  id: string,
  { installPath, version }: Readonly<Record<string, unknown>>,
  environment: Environment,
): string | undefined {
  if (typeof installPath !== "string" || existsSync(installPath) || typeof version !== "string")
    return typeof installPath === "string" ? installPath : undefined;
  const [name = "", market = ""] = id.split("@");
  const usual = join(pluginsFolder(environment), "cache", market, name, version);
  return existsSync(usual) ? usual : installPath;
}

/** The plug-in with this name, with or without its marketplace; `undefined` when there is none, or more than one. */
export function claudePlugin(
  name: string,
  environment: Environment,
  project?: string,
): ClaudePlugin | undefined {
  const all = claudePlugins(environment, project);
  const named = all.filter(({ id }) => id === name || (!name.includes("@") && id.startsWith(`${name}@`)));
  return named.length === 1 ? named[0] : undefined;
}

/**
 * The plug-in that a folder belongs to, of whatever version: it is the agent's, and what is changed there is lost with the
 * next update.
 */
export function pluginOfFolder(
  folder: string,
  environment: Environment,
  project?: string,
): string | undefined {
  const cache = join(pluginsFolder(environment), "cache");
  const known = claudePlugins(environment, project).find((one) => one.folder === folder);
  if (known !== undefined) return known.id;
  // cache/marketplace/name/version
  const [name, market] = [dirname(folder), dirname(dirname(folder))];
  return isInside(folder, cache) && dirname(market) === cache
    ? `${basename(name)}@${basename(market)}`
    : undefined;
}

/** The variables that Claude Code sets for hooks of a plug-in. */
export function pluginVariables({
  folder,
  data,
}: Pick<ClaudePlugin, "folder" | "data">): Readonly<Record<string, string>> {
  return { CLAUDE_PLUGIN_ROOT: folder, CLAUDE_PLUGIN_DATA: data };
}
