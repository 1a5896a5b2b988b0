import { basename, dirname, join, relative, sep } from "node:path";
import { AGENT_SETTINGS } from "../../core/match/protected-files.ts";
import { cacheFolder, configFolder, homeFolder, stateFolder } from "../../node/user-folders.ts";
import { SET_BACK_WORDS, selfProtectionRules } from "../../rules/packs/own-rules.ts";
import type { ConfigDefinition } from "../config.ts";

/** What decides over the agent. */
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

/** What a line can call the project's root. */
const ROOTS = ["**/$CLAUDE_PROJECT_DIR", "**/$TENTERHOOK_PROJECT_DIR", "**/$(pwd)"];

/**
 * The guard that every configuration brings along: a call that changes the configuration in force, the scripts it runs,
 * the settings of an agent, our state or our program needs a human's approval.
 */
export function selfProtection({ files, folders: used, projects, environment }: Protected): ConfigDefinition {
  const roots = [...projects, homeFolder(environment)];
  const own = [stateFolder(environment), cacheFolder(environment), configFolder(environment), ...used];
  const named = [...files, ...roots.flatMap((root) => AGENT_SETTINGS.map((file) => join(root, file)))];
  const hidden = named.map((file) => dirname(file)).filter((folder) => isHidden(folder, roots));
  const globs = [
    ...[...named, ...hidden].map(literal),
    ...[...named, ...hidden].flatMap((file) => waysBelow(roots, file)).map(belowUnknownFolder),
    ...projects.map((root) => `${literal(join(root, ".tenterhook"))}/*`),
    ...own.flatMap((folder) => [literal(folder), `${literal(folder)}/**`]),
    ...PROGRAM,
  ];
  const trees = projects.flatMap(withFoldersAbove);
  const folders = [
    ...new Set([".tenterhook", "tenterhook", ...[...hidden, ...used].map((folder) => basename(folder))]),
  ];
  const words = [
    ...new Set([
      ...folders,
      ...named.map((file) => basename(file)),
      ...trees.map((tree) => basename(tree)),
      ...SET_BACK_WORDS,
    ]),
  ];
  return {
    name: NAME,
    definition: {
      name: NAME,
      type: "inline",
      description: "Asks before a call changes the hooks, what they run or what calls them.",
      matcher: { events: ["PreToolUse"] },
      priority: 1,
      timeout: 30,
      rules: selfProtectionRules([...new Set(globs)], [...new Set(trees.map(literal)), ...ROOTS], folders),
    },
    names: { words: words.filter((word) => word !== ""), folders },
    enabled: true,
    origin: { scope: "managed", file: "tenterhook", line: 1 },
    root: sep,
  };
}

/** True for a folder such as `.claude/hooks`, which nothing but configuration is in. A folder of scripts has other work too. */
function isHidden(folder: string, roots: readonly string[]): boolean {
  return waysBelow(roots, folder).some((way) => way.split(sep).some((segment) => segment.startsWith(".")));
}

/** The path from each root that a file is in. */
function waysBelow(roots: readonly string[], file: string): readonly string[] {
  return roots.map((root) => relative(root, file)).filter((way) => way !== "" && !way.startsWith(".."));
}

/** A glob for `$ROOT/way` and `$(pwd)/way`: what a variable or a command stands for may be the root. */
function belowUnknownFolder(way: string): string {
  return `**/$*/**/${literal(way)}`;
}

function withFoldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...withFoldersAbove(above)];
}

/** A path as a glob that fits it. Characters with a meaning in globs or patterns become any character. */
function literal(path: string): string {
  return path.replaceAll(/[*?[\]{}\\"'\s!]/g, "?");
}
