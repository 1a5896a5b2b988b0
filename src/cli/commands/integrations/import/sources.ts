import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { ForeignHooks, Integration, SettingsPlaces } from "../../../../adapters/integration.ts";
import { type SettingsPath, valueAt } from "../../../../adapters/settings/json-edit.ts";
import { Inputs } from "../../../../config/inputs/inputs.ts";
import { filesOfDefinition } from "../../../../config/trust/named-files.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { edited, readSettings, type SettingsFile } from "../../../../install/settings-files.ts";
import { claudePlugins } from "../../../../node/claude-plugins.ts";
import { isInside } from "../../../../node/files/real-path.ts";
import { regularText } from "../../../../node/files/regular-file.ts";
import { PLACES } from "../../../../node/places.ts";
import { fileOption, type Invocation, textOption } from "../../../command-line/command.ts";
import type { ChangeableScope } from "../../../configured-hooks/scope-files.ts";
import { chosenSettings } from "../../../integrations/chosen-settings.ts";
import { frontMatter } from "./front-matter.ts";
import { foreignPlugin, namedPath, pluginFiles, pluginOf } from "./plugins.ts";

export interface ImportSource {
  readonly file: string;
  readonly text: string;
  /** Where the hooks are in the file; `undefined` for front matter. */
  readonly section: SettingsPath | undefined;
  readonly foreign: ForeignHooks;
  /** Notes about the whole file, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * The files to import from: those that are named, or the settings of a scope and the agents, skills and commands next to
 * them. With the scope of the configuration that gets the hooks.
 *
 * @param nothingIn makes the error for settings that are not there.
 * @throws TenterhookError `settings_unreadable` when there is nothing to read.
 */
export function findSources(
  integration: Integration,
  places: SettingsPlaces,
  invocation: Invocation,
  nothingIn: (file: string) => TenterhookError,
): { readonly sources: readonly ImportSource[]; readonly scope: ChangeableScope } {
  const { cwd, names } = invocation;
  const settings = textOption(invocation, "settings");
  const named = [...names.slice(1), ...(settings === undefined ? [] : [settings])];
  const scope = fileOption(invocation) ?? "project";
  if (named.length > 0) {
    const paths = named.map((name) => namedPath(name, integration, places, cwd));
    return { scope, sources: paths.flatMap((path) => sourcesAt(integration, path, places)) };
  }
  const chosen = chosenSettings(integration, places, invocation);
  const sources = sourcesOf(integration, chosen, places);
  if (sources.length === 0) throw nothingIn(chosen.file);
  // In the home folder the project's settings are the user's.
  return { scope: chosen.scope ?? scope, sources };
}

/**
 * A settings file, and the agents, skills and commands next to it that have hooks of their own; or all files of the scope,
 * when the agent reads several.
 */
export function sourcesOf(
  integration: Integration,
  { file, scope, text }: SettingsFile,
  places: SettingsPlaces,
): readonly ImportSource[] {
  if (scope !== undefined && integration.importing?.places !== undefined)
    return integration.importing
      .places(scope, places)
      .flatMap(jsonFilesAt)
      .map((path) => fromOneOfMany(integration, path, places));
  const hasComponents = integration.importing?.frontMatter === true && scope !== "local";
  const components = hasComponents ? markdownIn(dirname(file)) : [];
  return [
    ...(text === undefined ? [] : [fromJson(integration, file, places)]),
    ...components.flatMap((component) => fromMarkdown(component, places.root)),
  ];
}

/** A file, or the JSON files of a folder by name. Nothing when it does not exist. */
function jsonFilesAt(path: string): readonly string[] {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory() !== true) return status === undefined ? [] : [path];
  const names = readdirSync(path).filter((name) => name.endsWith(".json"));
  return names.toSorted().map((name) => join(path, name));
}

/** The agent skips such a file when it can't be read, and so do we. */
function fromOneOfMany(integration: Integration, file: string, places: SettingsPlaces): ImportSource {
  try {
    return fromJson(integration, file, places);
  } catch (error) {
    const foreign = { hooks: {}, scriptsOf: scriptsIn(places.root) };
    return { file, text: "", section: ["hooks"], foreign, notes: [`It was skipped: ${errorMessage(error)}`] };
  }
}

export function sourcesAt(
  integration: Integration,
  path: string,
  places: SettingsPlaces,
): readonly ImportSource[] {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) throw nothingAt(path, places);
  if (!status.isDirectory())
    return path.toLowerCase().endsWith(".md")
      ? fromMarkdown(path, places.root)
      : [fromJson(integration, path, places)];
  const files = pluginFiles(path);
  if (files.length > 0) return files.map((file) => fromJson(integration, file, places, path));
  throw new TenterhookError(
    "settings_unreadable",
    `${path} is not a plug-in with hooks: it has neither hooks/hooks.json nor hooks in .claude-plugin/plugin.json.`,
  );
}

function nothingAt(path: string, { environment, root }: SettingsPlaces): TenterhookError {
  const plugins = claudePlugins(environment, root).map(({ id }) => id);
  return new TenterhookError("settings_unreadable", `There is no file ${path}.`, {
    hint: `Name another with --user, --local or --settings${plugins.length === 0 ? "" : `, or a plug-in: ${plugins.join(", ")}`}.`,
  });
}

function fromJson(
  integration: Integration,
  file: string,
  places: SettingsPlaces,
  folder?: string,
): ImportSource {
  const text = readSettings(file) ?? "";
  const own = folder ?? (integration.importing?.places === undefined ? pluginOf(file) : undefined);
  const plugin = own === undefined ? undefined : foreignPlugin(own, places);
  return edited({ file, scope: undefined, text }, () => {
    const whole = valueAt(text, []);
    const isSection = isRecord(whole) && !Object.hasOwn(whole, "hooks");
    const environment = valueAt(text, ["env"]);
    const unread = plugin === undefined ? integration.settings.unread(text)?.why : undefined;
    const off = integration.switchedOff?.(text);
    return {
      file,
      text,
      section: isSection ? [] : ["hooks"],
      foreign: {
        hooks: isSection ? eventsIn(whole) : valueAt(text, ["hooks"]),
        plugin,
        ...startFolder(integration, file, places),
        ...(isRecord(environment) ? { environment } : {}),
        scriptsOf: scriptsIn(places.root),
      },
      notes: [unread, off].flatMap((why) =>
        why === undefined ? [] : [`${why}: none of these hooks ran there. Here they will.`],
      ),
    };
  });
}

/** Written from the home folder, so that it holds for every machine of this user. */
function startFolder(
  { importing, settingsFile }: Integration,
  file: string,
  places: SettingsPlaces,
): Pick<ForeignHooks, "folder"> {
  if (importing?.startsInUserFolder !== true || file !== settingsFile("user", places)) return {};
  const folder = dirname(file);
  const isHome = isInside(folder, places.home);
  return { folder: isHome ? `~/${relative(places.home, folder)}` : PLACES.word(folder) };
}

/** A file without a section of hooks may consist of it: then its keys are events. */
function eventsIn(whole: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(whole).filter(([name, value]) => /^[A-Z][A-Za-z]+$/.test(name) && Array.isArray(value)),
  );
}

function fromMarkdown(file: string, root: string): readonly ImportSource[] {
  const text = readSettings(file) ?? "";
  const found = frontMatter(file, text);
  if (found === undefined) return [];
  const base = { file, text, section: undefined };
  const scriptsOf = scriptsIn(root);
  if (found instanceof Error) {
    const foreign = { hooks: {}, scriptsOf };
    return [{ ...base, foreign, notes: [`${file} can't be read: ${errorMessage(found)}`] }];
  }
  return [{ ...base, foreign: { ...found, scriptsOf }, notes: [] }];
}

/** The agents, skills and commands in a folder of the agent. */
function markdownIn(folder: string): readonly string[] {
  return ["agents", "skills", "commands"].flatMap((part) =>
    entriesIn(join(folder, part)).map((entry) => join(entry.parentPath, entry.name)),
  );
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
      .filter((entry) => basename(folder) !== "skills" || entry.name === "SKILL.md")
      .toSorted((one, other) => (one.parentPath + one.name < other.parentPath + other.name ? -1 : 1));
  } catch {
    return [];
  }
}

const MOST_SCRIPT_BYTES = 1_000_000;
const MOST_SCRIPTS = 50;

/** Reads the files that a definition runs, and those that they name. Files that can't be read are skipped. */
export function scriptsIn(root: string): ForeignHooks["scriptsOf"] {
  return (definition) => {
    const texts = new Map<string, string>();
    const add = (file: string): void => {
      const isRead = texts.size < MOST_SCRIPTS && !texts.has(file);
      const text = isRead ? regularText(file, MOST_SCRIPT_BYTES) : undefined;
      // What is no text names no variable.
      if (text?.includes("\ufffd") === false) texts.set(file, text);
    };
    for (const file of filesOfDefinition(definition, { root, inputs: new Inputs() })) add(file);
    for (const [file, text] of [...texts])
      for (const name of filesNamedIn(text)) add(resolve(dirname(file), name));
    return [...texts.values()];
  };
}

/** `source "$DIR/lib.sh"`, `require("./lib")`, `from lib import x`. */
function filesNamedIn(text: string): readonly string[] {
  const paths = [...text.matchAll(/[\w./-]*\.(?:sh|bash|py|js|mjs|cjs|ts|rb)\b/g)].map(([path]) =>
    path.replace(/^\//, ""),
  );
  const modules = [...text.matchAll(/^\s*(?:from|import)\s+([A-Za-z_]\w*)/gm)].map(
    ([, name]) => `${name}.py`,
  );
  const required = [...text.matchAll(/["'](\.{1,2}\/[\w./-]+)["']/g)].map(([, path]) => `${path}.js`);
  return [...new Set([...paths, ...modules, ...required])];
}
