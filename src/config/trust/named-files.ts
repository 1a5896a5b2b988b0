import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { isRecord } from "../../core/json.ts";
import { handlersOf, type WrittenHandler } from "../handlers-of.ts";
import { shellWords } from "./shell-words.ts";

/** Where names of files start, and what counts as inside. */
export interface NamingSite {
  /** Where scripts and commands start. */
  readonly root: string;
  readonly project: string;
}

/** The files that the handlers of a definition run: scripts, modules, and files that commands name. */
export function filesOfDefinition(definition: WrittenHandler, site: NamingSite): readonly string[] {
  return unique(handlersOf(definition).flatMap(([handler]) => filesOfHandler(handler, site)));
}

/** The files that a section of the configuration runs: programs of servers, and commands of the monitor. */
export function filesOfSection(name: string, value: unknown, site: NamingSite): readonly string[] {
  const parts = isRecord(value) ? Object.values(value).filter(isRecord) : [];
  const read = RUNS[name];
  return read === undefined ? [] : unique(parts.flatMap((part) => filesOfWords(read(part), site)));
}

/** The files that an argument list names. */
export function filesOfArguments(words: readonly unknown[], site: NamingSite): readonly string[] {
  return unique(filesOfWords(words, site));
}

/** What the sections that run something run, for each of their items. */
const RUNS: Readonly<Record<string, (part: WrittenHandler) => readonly unknown[]>> = {
  mcp_servers: ({ command, args }) => [command, ...list(args)],
  monitor: ({ run }) => [run],
};

function filesOfHandler(handler: WrittenHandler, site: NamingSite): readonly string[] {
  const { script, module, command, args, server } = handler;
  return [
    // These are run whether or not they are there yet, and wherever they are.
    ...[script, module].flatMap((file) => (typeof file === "string" ? [resolve(site.root, file)] : [])),
    ...filesOfWords([...list(command), ...list(args)], site),
    ...(typeof server === "string" ? filesOfServers(join(site.root, ".mcp.json"), site) : []),
  ];
}

/** The file in which agents keep their servers, and the programs it names. */
function filesOfServers(file: string, site: NamingSite): readonly string[] {
  try {
    const { mcpServers }: { mcpServers?: unknown } = JSON.parse(readFileSync(file, "utf8"));
    return [file, ...filesOfSection("mcp_servers", mcpServers, site)];
  } catch {
    // Its programs can't be run either; the file itself counts, also while it is not there.
    return [file];
  }
}

/** The words that are files: relative ones anywhere, absolute ones inside the project. Others are the system's. */
function filesOfWords(given: readonly unknown[], { root, project }: NamingSite): readonly string[] {
  const words = given.flatMap((word) => (typeof word === "string" ? [word, ...shellWords(word, root)] : []));
  const folders = words.map((word) => resolve(root, word)).filter((path) => kindOf(path) === "folder");
  // A line may change into a folder before it names a file there.
  const starts = new Set([root, ...folders.filter((path) => isInside(path, project))]);
  return words.flatMap((word) =>
    isAbsolute(word)
      ? isInside(word, project) && kindOf(word) === "file"
        ? [resolve(word)]
        : []
      : [...starts].map((start) => resolve(start, word)).filter((path) => kindOf(path) === "file"),
  );
}

function kindOf(path: string): "file" | "folder" | undefined {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    return status === undefined ? undefined : status.isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
