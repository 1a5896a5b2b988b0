import { isAbsolute, join, relative, resolve } from "node:path";
import { isRecord, parseJson } from "../../core/base/json.ts";
import { belowRoot, INSTALLED_FOLDERS } from "../../core/match/system-folders.ts";
import { computedImports, filesOf, MOST_FILES } from "../../node/files/module-files.ts";
import { isInside } from "../../node/files/real-path.ts";
import { regularText } from "../../node/files/regular-file.ts";
import { fileEndings, shellWords, unknownWords, wordsOnlyRead } from "../../node/process/shell-words.ts";
import type { Inputs } from "../find/inputs.ts";
import { handlersOf, type WrittenHandler } from "../schema/definition.ts";

export interface NamingSite {
  /** The folder scripts and commands start in. */
  readonly root: string;
  readonly project: string;
  /** Records what was looked at: a name may become a file later. */
  readonly inputs: Inputs;
}

/** The files that something runs, or `undefined` when it names too many. */
export type NamedFiles = readonly string[] | undefined;

/** Limits the work for hostile files. */
const MOST_WORDS = 500;
const MOST_FOLDERS = 10;
const MOST_SERVER_BYTES = 1_000_000;

const INSTALLED = belowRoot(INSTALLED_FOLDERS);

/** The files that a definition runs: scripts, modules, and files that commands name. */
export function filesOfDefinition(definition: WrittenHandler, site: NamingSite): NamedFiles {
  return together(handlersOf(definition).map(([handler]) => filesOfHandler(handler, site)));
}

/** The files that a section runs: programs of servers, and commands of the monitor. */
export function filesOfSection(name: string, value: unknown, site: NamingSite): NamedFiles {
  const parts = isRecord(value) ? Object.values(value).filter(isRecord) : [];
  const read = RUNS[name];
  if (read === undefined) return [];
  return together(
    parts.flatMap((part) => {
      const { words, cwd } = read(part);
      const there = typeof cwd === "string" ? [{ ...site, root: resolve(site.root, cwd) }] : [];
      return [site, ...there].map((one) => filesOfWords(words, one));
    }),
  );
}

/** What a definition or a section runs that can't be known without running it. */
export function unknownIn(value: unknown, { root }: Pick<NamingSite, "root">): readonly string[] {
  if (!isRecord(value)) return [];
  const commands = handlersOf(value).flatMap(([{ command, args, set_env }]) =>
    typeof command === "string" && args === undefined ? unknownWords(command, root, texts(set_env)) : [],
  );
  const imports = handlersOf(value).flatMap(([{ module }]) =>
    typeof module === "string"
      ? computedImports(filesOf(resolve(root, module))).map((file) => `what ${relative(root, file)} imports`)
      : [],
  );
  const runs = Object.values(value).flatMap((part) =>
    isRecord(part) && typeof part.run === "string" ? unknownWords(part.run, root) : [],
  );
  return [...commands, ...imports, ...runs];
}

export function filesOfArguments(words: readonly unknown[], site: NamingSite): NamedFiles {
  return together([filesOfWords(words, site)]);
}

/** The sections that run something, and what each of their items runs. */
const RUNS: Readonly<Record<string, (part: WrittenHandler) => Started>> = {
  mcp_servers: ({ command, args, env, cwd }) => ({
    words: [command, ...list(args), ...(isRecord(env) ? Object.values(env) : [])],
    cwd,
  }),
  monitor: ({ run }) => ({ words: [run] }),
};

interface Started {
  readonly words: readonly unknown[];
  readonly cwd?: unknown;
}

function filesOfHandler(handler: WrittenHandler, site: NamingSite): NamedFiles {
  const { script, module, command, args, server, set_env } = handler;
  const set = texts(set_env);
  return together([
    // These are run whether or not they are there yet, and wherever they are.
    typeof script === "string" ? [resolve(site.root, script)] : [],
    // A module is loaded with what it imports relatively; what is not there yet may come.
    typeof module === "string" ? filesOfModule(resolve(site.root, module), site) : [],
    filesOfWords([...list(command), ...list(args), ...Object.values(set)], site, set),
    typeof server === "string" ? filesOfServers(join(site.root, ".mcp.json"), site) : [],
  ]);
}

function filesOfModule(module: string, { inputs }: NamingSite): NamedFiles {
  const files = filesOf(module, (path) => inputs.see("presence", path));
  return files.length < MOST_FILES ? files : undefined;
}

function filesOfServers(file: string, site: NamingSite): NamedFiles {
  site.inputs.see("file", file);
  return together([[file], filesOfSection("mcp_servers", serversIn(file), site)]);
}

/** Nothing for an unreadable file, whose servers can't run either. */
function serversIn(file: string): unknown {
  const content = parseJson(regularText(file, MOST_SERVER_BYTES) ?? "");
  return isRecord(content) ? content.mcpServers : undefined;
}

/** The words that are files, except for absolute paths of system programs. */
function filesOfWords(
  given: readonly unknown[],
  { root, project, inputs }: NamingSite,
  set: Readonly<Record<string, string>> = {},
): NamedFiles {
  const written = given.filter((word) => typeof word === "string");
  const words = [...new Set(written.flatMap((word) => [word, ...wordsThatRun(word, root, set)]))];
  if (words.length > MOST_WORDS) return undefined;
  const kindOf = (path: string): string => inputs.see("presence", path).value;
  const endings = fileEndings(written);
  const isOwn = (path: string): boolean =>
    !INSTALLED.test(path) || isInside(path, project) || isInside(inputs.see("real", path).value, project);
  const folders = words.map((word) => resolve(root, word)).filter((path) => isInside(path, project));
  // A line may change into a folder before it names a file there.
  const starts = new Set([root, ...folders.filter((path) => kindOf(path) === "folder")]);
  if (starts.size > MOST_FOLDERS) return undefined;
  const places = words.flatMap((word) =>
    isAbsolute(word) ? [resolve(word)].filter(isOwn) : [...starts].map((start) => resolve(start, word)),
  );
  return places.flatMap((path) =>
    endings.map((ending) => `${path}${ending}`).filter((file) => kindOf(file) === "file"),
  );
}

/** What a file holds that is only read does not decide what is run. */
function wordsThatRun(line: string, root: string, set: Readonly<Record<string, string>>): readonly string[] {
  const read = wordsOnlyRead(line, root, set);
  return shellWords(line, root, set).filter((word) => !read.has(word));
}

function texts(value: unknown): Readonly<Record<string, string>> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function together(parts: readonly NamedFiles[]): NamedFiles {
  const all: string[] = [];
  for (const part of parts) {
    if (part === undefined) return undefined;
    all.push(...part);
  }
  return [...new Set(all)];
}
