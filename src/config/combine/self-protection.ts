import { basename, dirname, join, relative, sep } from "node:path";
import { cacheFolder, configFolder, homeFolder, stateFolder } from "../../node/user-folders.ts";
import { selfProtectionRules } from "../../rules/packs/own-rules.ts";
import {
  AGENT_HOOK_FOLDERS,
  AGENT_SETTINGS,
  MANAGED_SETTINGS,
  SKILL_CODE,
} from "../../shared/protected-files.ts";
import type { ConfigDefinition } from "../config.ts";

export interface Protected {
  /** The configuration's files, and the scripts and modules that its hooks run. */
  readonly files: readonly string[];
  /** Folders whose files are all part of the configuration. */
  readonly folders: readonly string[];
  readonly projects: readonly string[];
  readonly environment: NodeJS.ProcessEnv | undefined;
}

const NAME = "tenterhook:self-protection";

/** Our program wherever a package manager puts it. */
const PROGRAM = [
  "**/node_modules/tenterhook",
  "**/node_modules/tenterhook/**",
  "**/node_modules/.bin",
  "**/node_modules/.bin/tenterhook",
  "**/bin/tenterhook",
];

/** The same where it usually is, so that a path from there or through a link counts too. */
const USUAL_PROGRAM = [
  "node_modules/tenterhook",
  "node_modules/tenterhook/package.json",
  "node_modules/tenterhook/dist/*.js",
  "node_modules/tenterhook/dist/*.cjs",
  "node_modules/.bin",
  "node_modules/.bin/tenterhook",
];
const USUAL_FOLDERS = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** What a project's own folder has for us. */
const OWN_FILES = ["*.yaml", "*.yml", "*.json", "*.toml", "*.rules"];

/** What a line can call the project's root. */
const ROOTS = ["**/$CLAUDE_PROJECT_DIR", "**/$TENTERHOOK_PROJECT_DIR", "**/$(pwd)"];

/**
 * The guard that every configuration brings along: a call that changes the configuration in force, the scripts it runs,
 * the settings of an agent, our state or our program needs a human's approval.
 */
export function selfProtection({ files, folders: used, projects, environment }: Protected): ConfigDefinition {
  const roots = [...projects, homeFolder(environment)];
  const found = roots.flatMap((root) => AGENT_HOOK_FOLDERS.map((folder) => join(root, folder)));
  const own = [stateFolder(environment), cacheFolder(environment), configFolder(environment), ...used];
  const named = [...files, ...roots.flatMap((root) => AGENT_SETTINGS.map((file) => join(root, file)))];
  const holding = unique(named.map((file) => dirname(file)));
  const hidden = holding.filter((folder) => isHidden(folder, roots));
  const globs = [
    ...[...named, ...MANAGED_SETTINGS, ...hidden, ...found].map(literal),
    ...MANAGED_SETTINGS.map((path) => `${literal(path)}/**`),
    ...projects.flatMap((root) => OWN_FILES.map((file) => `${literal(join(root, ".tenterhook"))}/${file}`)),
    ...own.flatMap((folder) => [literal(folder), `${literal(folder)}/**`]),
  ];
  const program = [
    ...projects.flatMap((root) => USUAL_PROGRAM.map((file) => `${literal(root)}/${file}`)),
    ...USUAL_FOLDERS.map((folder) => `${folder}/tenterhook`),
  ];
  const anywhere = [
    // `$ROOT/way` and `$(pwd)/way`: the value of a variable or a command may be the root.
    ...[...named, ...hidden]
      .flatMap((file) => waysBelow(roots, file))
      .map((way) => `**/$*/**/${literal(way)}`),
    ...AGENT_HOOK_FOLDERS.flatMap((folder) => [`**/${folder}`, `**/${folder}/**`]),
    ...SKILL_CODE,
    ...PROGRAM,
  ];
  const trees = [
    ...projects.flatMap(withFoldersAbove),
    ...unique(holding.flatMap(withFoldersAbove)).filter((folder) => isBelow(projects, folder)),
  ];
  const folders = unique([
    ".tenterhook",
    "tenterhook",
    ...[...hidden, ...used, ...found].map((folder) => basename(folder)),
  ]);
  return {
    name: NAME,
    definition: {
      name: NAME,
      type: "inline",
      description: "Asks before a call changes the hooks, what they run or what calls them.",
      matcher: { events: ["PreToolUse"] },
      priority: 1,
      timeout: 30,
      rules: selfProtectionRules({
        files: unique(globs),
        program: unique(program),
        anywhere: unique(anywhere),
        inside: found.map((folder) => `${literal(folder)}/**`),
        trees: [...unique(trees.map(literal)), ...ROOTS],
        folders,
        monitor: [
          ...[literal(stateFolder(environment)), "~/.local/state/tenterhook"].map(
            (folder) => `${folder}/monitor/**`,
          ),
          ...[literal(configFolder(environment)), "~/.config/tenterhook"].map(
            (folder) => `${folder}/monitor.env`,
          ),
        ],
        above: unique([...around(stateFolder(environment), environment).map(literal), ...USUAL_ABOVE_STATE]),
        aboveConfig: unique([...around(configFolder(environment), environment).map(literal), "~/.config"]),
      }),
    },
    enabled: true,
    origin: { scope: "managed", file: "tenterhook", line: 1 },
    root: sep,
  };
}

const USUAL_ABOVE_STATE = ["~/.local", "~/.local/state", "~/.local/state/tenterhook"];

/** A folder and those around it, up to the user's home: what copies or moves one of them takes it along. */
function around(folder: string, environment: NodeJS.ProcessEnv | undefined): readonly string[] {
  const home = homeFolder(environment);
  const inHome = withFoldersAbove(folder).filter((one) => isBelow([home], one));
  return inHome.length > 0 ? inHome : [folder, dirname(folder)];
}

/** True for a folder such as `.claude/hooks`, which nothing but configuration is in. A folder of scripts has other work too. */
function isHidden(folder: string, roots: readonly string[]): boolean {
  return waysBelow(roots, folder).some((way) => way.split(sep).some((segment) => segment.startsWith(".")));
}

function isBelow(roots: readonly string[], folder: string): boolean {
  return waysBelow(roots, folder).length > 0;
}

function waysBelow(roots: readonly string[], file: string): readonly string[] {
  return roots.map((root) => relative(root, file)).filter((way) => way !== "" && !way.startsWith(".."));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function withFoldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...withFoldersAbove(above)];
}

/** A path as a glob that fits it. Characters with a meaning in globs or patterns become any character. */
function literal(path: string): string {
  return path.replaceAll(/[*?[\]{}\\"'\s!]/g, "?");
}
