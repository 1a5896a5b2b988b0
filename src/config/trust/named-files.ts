import { join, resolve } from "node:path";
import { isRecord, parseJson } from "../../core/base/json.ts";
import type { RunningKey } from "../../core/registration/handler-types.ts";
import { claudePlugin, claudePluginsFile, pluginVariables } from "../../node/claude-plugins.ts";
import { regularText } from "../../node/files/regular-file.ts";
import { firstScript } from "../../node/process/first-script.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { handlersOf, type WrittenHandler } from "../schema/definition.ts";

/** Where names are looked up, and what records that they were: a name may become a file later. */
export interface NamingSite {
  /** The folder scripts and commands start in. */
  readonly root: string;
  readonly inputs: Inputs;
}

const MOST_SERVER_BYTES = 1_000_000;

/** The files that a definition runs: scripts, modules, and the first script of each command. */
export function filesOfDefinition(definition: WrittenHandler, site: NamingSite): readonly string[] {
  return unique(handlersOf(definition).flatMap(([handler]) => filesOfHandler(handler, site)));
}

/** The files that hooks in front matter run, ours or as Claude Code writes them. */
export function filesOfHooks(hooks: unknown, site: NamingSite): readonly string[] {
  if (Array.isArray(hooks)) return unique(hooks.flatMap((one: unknown) => filesOfHooks(one, site)));
  if (!isRecord(hooks)) return [];
  return unique([...filesOfHandler(hooks, site), ...filesOfHooks(Object.values(hooks), site)]);
}

/** The files that a section runs: programs of servers, and commands of the monitor. */
export function filesOfSection(name: string, value: unknown, site: NamingSite): readonly string[] {
  if (name !== "mcp_servers" && name !== "monitor") return [];
  return unique(
    partsOf(value).flatMap((part) => {
      const there = typeof part.cwd === "string" ? { ...site, root: resolve(site.root, part.cwd) } : site;
      return filesOfCommand(commandOf(part), there);
    }),
  );
}

/** The scripts that a definition or a section runs which can't be known without running it. */
export function unknownIn(value: unknown, { root }: Pick<NamingSite, "root">): readonly string[] {
  if (!isRecord(value)) return [];
  const runs = partsOf(value).filter(({ run }) => typeof run === "string");
  return [...handlersOf(value).map(([handler]) => handler), ...runs].flatMap((part) => {
    const script = firstScript(commandOf(part), root, setFor(part, { root }));
    return script?.unknown === true ? [script.path] : [];
  });
}

export function filesOfCommand(
  command: string | readonly string[],
  { root, inputs }: NamingSite,
  set: Readonly<Record<string, string>> = {},
): readonly string[] {
  const script = firstScript(command, root, set);
  if (script === undefined || script.unknown) return [];
  const path = resolve(root, script.path);
  const isFile = (file: string): boolean => inputs.see("presence", file).value === "file";
  const found = [path, ...(script.addsEnding ? ENDINGS.map((ending) => `${path}${ending}`) : [])].find(
    isFile,
  );
  if (found !== undefined) return [found];
  // Run whether or not it is there yet. A bare word may be the name of something else.
  return /[/.]/.test(script.path) && inputs.see("presence", path).value !== "folder" ? [path] : [];
}

/** What Node tries after a name. */
const ENDINGS = [".js", ".ts", ".mjs", ".cjs", "/index.js"];

/** How the files are found that a key names. A script and a module run whether or not they are there yet, wherever they are. */
const FILES_OF: Readonly<
  Record<RunningKey, (handler: WrittenHandler, site: NamingSite) => readonly string[]>
> = {
  script: ({ script }, { root }) => (typeof script === "string" ? [resolve(root, script)] : []),
  module: ({ module }, { root }) => (typeof module === "string" ? [resolve(root, module)] : []),
  command: (handler, site) => filesOfCommand(commandOf(handler), site, setFor(handler, site)),
  server: ({ server }, site) =>
    typeof server === "string" ? filesOfServers(join(site.root, ".mcp.json"), site) : [],
};

/** By its keys, whatever its type: hooks in front matter may leave it out. */
function filesOfHandler(handler: WrittenHandler, site: NamingSite): readonly string[] {
  return Object.values(FILES_OF).flatMap((filesOf) => filesOf(handler, site));
}

function filesOfServers(file: string, site: NamingSite): readonly string[] {
  site.inputs.see("file", file);
  // Nothing for an unreadable file, whose servers can't run either.
  const content = parseJson(regularText(file, MOST_SERVER_BYTES) ?? "");
  return [file, ...filesOfSection("mcp_servers", isRecord(content) ? content.mcpServers : undefined, site)];
}

/** The line, or the program with its arguments, that a handler, a server or an action of the monitor runs. */
function commandOf({ command, args, run }: WrittenHandler): string | readonly string[] {
  const line = command ?? run;
  if (typeof line === "string" && args === undefined) return line;
  return [line, args].flat().filter((word) => typeof word === "string");
}

/** The servers of a section, or the triggers of the monitor, those of single agents included. */
function partsOf(value: unknown): readonly WrittenHandler[] {
  if (!isRecord(value)) return [];
  const ofAgents = isRecord(value.agents) ? Object.values(value.agents).flatMap(partsOf) : [];
  return [...Object.values(value).filter(isRecord), ...ofAgents];
}

/** The variables that a handler sets for its command. */
function setFor(
  { plugin, set_env }: WrittenHandler,
  { root, inputs }: Pick<NamingSite, "root"> & Partial<NamingSite>,
): Readonly<Record<string, string>> {
  if (typeof plugin !== "string") return textsIn(set_env);
  inputs?.see("file", claudePluginsFile(process.env));
  const found = claudePlugin(plugin, process.env, root);
  return { ...(found === undefined ? {} : pluginVariables(found)), ...textsIn(set_env) };
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}

function unique(files: readonly string[]): readonly string[] {
  return [...new Set(files)];
}
