import { basename, dirname, join } from "node:path";
import { isRecord, listOf } from "../../core/base/json.ts";
import { claudePlugins } from "../../node/claude-plugins.ts";
import { PLACES } from "../../node/places.ts";
import { NODE_VARIABLES } from "../../shared/code-variables.ts";
import type { Lift, LiftFinder, PluginSources, SettingsPlaces } from "../integration.ts";
import { isOn, pathsIn, type ReadFile, readFile } from "../lifts.ts";
import { HOOK_COMMAND } from "../settings/hook-command.ts";
import { PLUGIN } from "./mod/wire.js";

/*
 * What in Claude Code's settings can lift a gate of ours: seen in 2.1.327. A mod is a plug-in with modules in its
 * `hooks/hooks.json`, which run inside Claude Code and see every call.
 */

export const MANAGED = PLACES.managedClaude;

export function configFolder({ home, environment }: Pick<SettingsPlaces, "home" | "environment">): string {
  return environment.CLAUDE_CONFIG_DIR ?? join(home, ".claude");
}

interface ClaudeSettings {
  readonly user: ReadFile;
  /** The project's, its local ones last: they count most. */
  readonly project: readonly ReadFile[];
  readonly managed: readonly ReadFile[];
}

function settingsIn(places: SettingsPlaces): ClaudeSettings {
  const folder = join(places.root, ".claude");
  const user = join(configFolder(places), "settings.json");
  const project = ["settings.json", "settings.local.json"].map((name) => join(folder, name));
  return {
    user: readFile(user),
    // In the home folder the project's settings are the user's.
    project: project.filter((file) => file !== user).map(readFile),
    managed: managedSettings(),
  };
}

/** The files of managed settings that say something: an empty one overrules nothing. */
export function managedSettings(file = MANAGED): readonly ReadFile[] {
  const more = pathsIn(join(dirname(file), "managed-settings.d")).filter((one) => one.endsWith(".json"));
  return [file, ...more].map(readFile).filter(({ value }) => {
    const settings = value([]);
    return isRecord(settings) && Object.keys(settings).length > 0;
  });
}

function allOf({ user, project, managed }: ClaudeSettings): readonly ReadFile[] {
  return [user, ...project, ...managed];
}

const [MOD_NAME = ""] = PLUGIN.split("@");

/** A plug-in of the same name from another marketplace is somebody else's. */
const isOurs = (id: unknown): boolean => id === PLUGIN;

/** The files whose `prependPlugins` count: with managed settings only theirs. */
function seating({ user, managed }: ClaudeSettings): readonly ReadFile[] {
  return managed.length > 0 ? managed : [user];
}

/** True when our own plug-in is asked before those of the user: it judges what other hooks rewrote. */
export function isSeated(places: SettingsPlaces): boolean {
  return seating(settingsIn(places)).some((file) => listOf(file.value(["prependPlugins"])).some(isOurs));
}

const prepended: LiftFinder = (places) =>
  seating(settingsIn(places)).flatMap((file) => {
    const names = listOf(file.value(["prependPlugins"]));
    const ours = names.findIndex(isOurs);
    return names
      .slice(0, ours === -1 ? names.length : ours)
      .map((name, at) =>
        file.lift(
          ["prependPlugins", at],
          `The plug-in ${String(name)} is asked before Tenterhook, which it can pass over or keep from loading.`,
          ours === -1
            ? "Take it out of prependPlugins unless you trust it."
            : `Put ${String(names[ours])} in front of it in prependPlugins.`,
        ),
      );
  });

const switchedOff: LiftFinder = (places) =>
  allOf(settingsIn(places)).flatMap((file) => {
    const enabled = file.value(["enabledPlugins"]);
    return Object.entries(isRecord(enabled) ? enabled : {})
      .filter(([id, is]) => isOurs(id) && is === false)
      .map(([id]) =>
        file.lift(
          ["enabledPlugins", id],
          `${id} is off there, so Claude Code does not load Tenterhook's plug-in.`,
          "Take the line out.",
        ),
      );
  });

const DIRS = "CLAUDE_CODE_PLUGIN_DIRS";
const SIMPLE = "CLAUDE_CODE_SIMPLE";

/** Variables count where Claude Code is started, and in the user's settings. */
function variable(name: string, places: SettingsPlaces) {
  const { user } = settingsIn(places);
  const found: { readonly value: string; lift(what: string, way_out: string): Lift }[] = [];
  const [here, there] = [places.environment[name], user.value(["env", name])];
  if (typeof here === "string" && here !== "")
    found.push({ value: here, lift: (what, way_out) => ({ what, where: name, way_out }) });
  if (typeof there === "string" && there !== "")
    found.push({ value: there, lift: (what, way_out) => user.lift(["env", name], what, way_out) });
  return found;
}

const simple: LiftFinder = (places) =>
  variable(SIMPLE, places)
    .filter(({ value }) => isOn(value))
    .map(({ lift }) => lift("Claude Code starts without hooks and plug-ins.", `Unset ${SIMPLE}.`));

/** What says which program `tenterhook` is, what it loads, and where it looks for configurations and its daemon. */
const OURS = [
  "PATH",
  "HOME",
  "XDG_CONFIG_HOME",
  "XDG_CACHE_HOME",
  "XDG_STATE_HOME",
  "TENTERHOOK_DAEMON",
  ...NODE_VARIABLES,
];

const ledElsewhere: LiftFinder = (places) =>
  allOf(settingsIn(places)).flatMap((file) =>
    OURS.filter((name) => typeof file.value(["env", name]) === "string").map((name) =>
      file.lift(
        ["env", name],
        `Claude Code starts Tenterhook's hooks with this ${name}, by which they may be another program, or decide by another configuration.`,
        "Take it out of env unless you mean that.",
      ),
    ),
  );

/** The folders of plug-ins that the variable names, here and in the user's settings. */
function namedFolders(places: SettingsPlaces) {
  return variable(DIRS, places).flatMap(({ value, lift }) =>
    value.split(":").flatMap((folder) => (folder === "" ? [] : [{ folder, lift }])),
  );
}

const pluginFolders: LiftFinder = (places) =>
  namedFolders(places).map(({ folder, lift }) =>
    nameIn(folder) === MOD_NAME
      ? lift(
          `${DIRS} names ${folder}, a plug-in called ${MOD_NAME}, which takes the place of ours.`,
          `Take the folder out of ${DIRS}, or rename the plug-in.`,
        )
      : lift(
          `${DIRS} has Claude Code load plug-ins from ${folder}, which can allow what Tenterhook refuses.`,
          `Take the folder out of ${DIRS} unless you trust it.`,
        ),
  );

function nameIn(folder: string): unknown {
  return readFile(join(folder, ".claude-plugin", "plugin.json")).value(["name"]);
}

function knownMarketplaces(places: SettingsPlaces): ReadFile {
  return readFile(join(configFolder(places), "plugins", "known_marketplaces.json"));
}

const unreadMarketplaces: LiftFinder = (places) => {
  const { file, text, value } = knownMarketplaces(places);
  if (text === undefined || isRecord(value([])) || !isSeated(places)) return [];
  const what = "Claude Code can't read its list of marketplaces, so it does not load Tenterhook's plug-in.";
  return [{ what, where: file, way_out: "Remove the file; Claude Code writes it anew." }];
};

/** The marketplaces that are folders, by name: Claude Code reads their plug-ins there. */
function marketplaceFolders(places: SettingsPlaces): ReadonlyMap<string, string> {
  const known = knownMarketplaces(places).value([]);
  const declared = allOf(settingsIn(places)).map((file) => file.value(["extraKnownMarketplaces"]));
  const entries = [known, ...declared].flatMap((one) => (isRecord(one) ? Object.entries(one) : []));
  return new Map(
    entries.flatMap(([name, entry]): readonly (readonly [string, string])[] => {
      const source = isRecord(entry) && isRecord(entry.source) ? entry.source : {};
      const { source: kind, path } = source;
      return kind === "directory" && typeof path === "string" ? [[name, path]] : [];
    }),
  );
}

/** Plug-ins that some settings switch on, where no settings that count more switch them off; and where they are read. */
function pluginsInUse(places: SettingsPlaces): readonly { readonly id: string; readonly folder: string }[] {
  const settings = settingsIn(places);
  const byWeight = [...settings.managed.toReversed(), ...settings.project.toReversed(), settings.user];
  const enabled = byWeight.flatMap((file) => {
    const list = file.value(["enabledPlugins"]);
    return isRecord(list) ? Object.entries(list) : [];
  });
  const installed = claudePlugins({ HOME: places.home, ...places.environment }, places.root);
  const marketplaces = marketplaceFolders(places);
  return [...new Map(enabled.toReversed())].flatMap(([id, enabledIs]) => {
    const folder = readIn(id, marketplaces) ?? installed.find((one) => one.id === id)?.folder;
    return enabledIs === true && folder !== undefined ? [{ id, folder }] : [];
  });
}

function readIn(id: string, marketplaces: ReadonlyMap<string, string>): string | undefined {
  const [name, marketplace = ""] = id.split("@");
  const folder = marketplaces.get(marketplace);
  if (folder === undefined) return undefined;
  const list = readFile(join(folder, ".claude-plugin", "marketplace.json")).value(["plugins"]);
  const entry = listOf(list)
    .filter(isRecord)
    .find((one) => one.name === name);
  return typeof entry?.source === "string" ? join(folder, entry.source) : undefined;
}

const sameName: LiftFinder = (places) => {
  const others = pluginsInUse(places).filter(({ id }) => id.startsWith(`${MOD_NAME}@`) && !isOurs(id));
  return others.map(({ id, folder }) => ({
    what: `The plug-in ${id} has the name of ours, ${PLUGIN}: Claude Code may load the wrong one.`,
    where: folder,
    way_out: `claude plugin uninstall ${id}`,
  }));
};

/** The files with the hooks of plug-ins and skills that Claude Code loads here, but for ours. */
function pluginHooks(places: SettingsPlaces): readonly ReadFile[] {
  const skills = (folder: string) => pathsIn(join(folder, "skills"));
  const folders = [
    ...skills(configFolder(places)),
    ...(isTrusted(places) ? skills(join(places.root, ".claude")) : []),
    ...pluginsInUse(places).flatMap(({ id, folder }) => (isOurs(id) ? [] : [folder])),
    // Such a folder is a plug-in, or has some.
    ...namedFolders(places).flatMap(({ folder }) => [folder, ...pathsIn(folder)]),
  ];
  // In the home folder the project's skills are the user's.
  return [...new Set(folders)]
    .map((folder) => readFile(join(folder, "hooks", "hooks.json")))
    .filter(({ text }) => text !== undefined);
}

/** Claude Code loads the mods of a project once its user has trusted the folder. */
function isTrusted({ root, home, environment }: SettingsPlaces): boolean {
  const state = readFile(join(environment.CLAUDE_CONFIG_DIR ?? home, ".claude.json"));
  return state.value(["projects", root, "hasTrustDialogAccepted"]) === true;
}

const mods: LiftFinder = (places) =>
  pluginHooks(places).flatMap((file) => {
    const folder = dirname(dirname(file.file));
    const name = nameIn(folder) ?? folder;
    return listOf(file.value(["modules"])).map((module, at) =>
      file.lift(
        ["modules", at],
        `The plug-in ${String(name)} runs ${String(module)} inside Claude Code, where it can allow, change or run what Tenterhook refuses.`,
        `Read it; remove ${folder} unless you trust it.`,
      ),
    );
  });

const elsewhere: LiftFinder = ({ home, environment: { CLAUDE_CONFIG_DIR: given } }) => {
  const usual = join(home, ".claude");
  const callsUs = (folder: string) =>
    readFile(join(folder, "settings.json")).text?.includes(HOOK_COMMAND) === true;
  if (given === undefined || given === usual || !callsUs(usual) || callsUs(given)) return [];
  const what = `Claude Code reads ${given} and not ${usual}, which calls Tenterhook.`;
  return [{ what, where: "CLAUDE_CONFIG_DIR", way_out: "tenterhook install claude --user" }];
};

export const CLAUDE_LIFTS: readonly LiftFinder[] = [
  elsewhere,
  prepended,
  switchedOff,
  sameName,
  unreadMarketplaces,
  pluginFolders,
  ledElsewhere,
  simple,
  mods,
];

/** What `prove --with-mine` copies for Claude Code to load the plug-ins, skills and mods of this person. */
export function pluginSources(places: SettingsPlaces, moved: (path: string) => string): PluginSources {
  const config = configFolder(places);
  const folders = namedFolders(places).map(({ folder }) => folder);
  return {
    paths: [
      join(config, "skills"),
      join(places.root, ".claude", "skills"),
      // What plug-ins store may be secret.
      ...pathsIn(join(config, "plugins")).filter((path) => basename(path) !== "data"),
      ...[...marketplaceFolders(places).values()].map((folder) => join(folder, ".claude-plugin")),
      ...pluginsInUse(places).map(({ folder }) => folder),
      ...folders,
    ],
    keys: ["enabledPlugins", "extraKnownMarketplaces", "prependPlugins", "appendPlugins"],
    files: isTrusted(places)
      ? { ".claude.json": { projects: { [moved(places.root)]: { hasTrustDialogAccepted: true } } } }
      : {},
    variables: folders.length === 0 ? {} : { [DIRS]: folders.map(moved).join(":") },
  };
}

/** The files of plug-ins that have hooks in Claude Code's own form. */
export function pluginHookFiles(places: SettingsPlaces): readonly string[] {
  return pluginHooks(places).map(({ file }) => file);
}
