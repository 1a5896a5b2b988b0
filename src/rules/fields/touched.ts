import { filesOfPatch, isAddressField, patchedFiles, plainName } from "../../core/match/tool-inputs.ts";
import { hostOf } from "../../core/match/url-hosts.ts";
import { hasWildcard } from "../shell/words/text.ts";
import { readPath, textsOf } from "./field-path.ts";
import type { JudgedEvent } from "./judged-event.ts";
import { filesOf } from "./paths.ts";
import { callAnalysis } from "./shell-analysis.ts";
import { isKnownTool, ownToolName, shellFoldersOf, shellTextOf, toolOf } from "./shell-text.ts";

export type Access = "reads" | "writes" | "connects";

/** What each tool does with the files and addresses its input names; `rereads`: only to change them. */
const TOOLS: Readonly<Record<string, readonly (Access | "rereads")[]>> = {
  Read: ["reads"],
  LS: ["reads"],
  Glob: ["reads"],
  Grep: ["reads"],
  Write: ["writes"],
  Edit: ["rereads", "writes"],
  NotebookEdit: ["rereads", "writes"],
  Memory: ["rereads", "writes"],
  Delete: ["writes"],
  WebFetch: ["connects"],
};
/** Tools that only look when their `command` says so. */
const VIEWERS = new Set(["Edit", "Memory"]);
const VIEWING = new Set(["view", "read", "cat"]);
const ADDRESS = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>()]+/gi;

/** The fields in which a tool takes globs for files. A Grep's `pattern` is one for lines. */
const GLOB_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  Glob: new Set(["pattern", "patterns", "glob", "globpattern", "include"]),
  Grep: new Set(["glob", "include", "includepattern", "includepatterns"]),
  Read: new Set(["include"]),
};

/** What a patch nobody can read may write. As a glob it overlaps with every other. */
export const ANY_FILE = "/**";

/**
 * What the call touches: paths as written, or hosts. `strict` keeps only what the call certainly does, for rules that
 * allow: a tool nobody knows then touches nothing, and an Edit does not count as reading.
 */
export function touchedBy(subject: JudgedEvent, access: Access, strict: boolean): readonly string[] {
  const tool = toolOf(subject.event);
  if (tool === "Bash") return shellTouches(subject, access) ?? [];
  if (tool === "ApplyPatch") return patchTouches(subject, access, strict);
  const named = access === "connects" ? hostsOf(subject) : [...filesOf(subject), ...globsOf(subject)];
  if (tool === undefined || !isKnownTool(tool)) {
    const shell = shellTouches(subject, access);
    // Nobody knows what another field next to the shell text is for.
    if (strict) return shell !== undefined && named.length === 0 ? shell : [];
    return shell === undefined ? named : [...shell, ...named];
  }
  const does = TOOLS[tool] ?? [];
  const views = VIEWERS.has(tool) && VIEWING.has(String(readPath(subject.event, ["tool_input", "command"])));
  if (views) return access === "reads" ? named : [];
  return does.includes(access) || (access === "reads" && does.includes("rereads") && !strict) ? named : [];
}

/** True for a call of a tool that finds files by a glob, which it does not hand to a shell. */
export function isSearch({ event }: JudgedEvent): boolean {
  return Object.hasOwn(GLOB_FIELDS, toolOf(event) ?? "");
}

/** The touched paths that may name several files. */
export function wildcardsBy(subject: JudgedEvent, access: Access): readonly string[] {
  if (access === "connects") return [];
  const { event } = subject;
  const shell = (shellTouches(subject, access) ?? []).filter(hasWildcard);
  const tool = toolOf(event);
  if (tool === "ApplyPatch") return patchTouches(subject, access, false).filter((path) => path === ANY_FILE);
  if (tool === undefined || TOOLS[tool]?.includes(access) !== true) return shell;
  const expands = tool === "Glob" || ownToolName(event) === "read_many_files";
  return [...shell, ...globsOf(subject), ...(expands ? filesOf(subject).filter(hasWildcard) : [])];
}

/** The paths as they are in the folders that a call of a shell says it runs in. */
export function inShellFolders(subject: JudgedEvent, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return paths;
  const folders = shellFoldersOf(subject);
  return folders.length === 0 ? paths : inFolders(folders, paths);
}

function inFolders(folders: readonly string[], paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) =>
    /^(?:[/~$\\]|[A-Za-z]:[\\/])/.test(path) ? [path] : folders.map((folder) => `${folder}/${path}`),
  );
}

function patchTouches(subject: JudgedEvent, access: Access, strict: boolean): readonly string[] {
  if (access === "connects" || (access === "reads" && strict)) return [];
  const input = readPath(subject.event, ["tool_input"]);
  const files = filesOfPatch(input);
  if (files.length === 0) return access === "writes" && !strict && input !== undefined ? [ANY_FILE] : [];
  return files.filter((file) => access === "writes" || file.reads).map((file) => file.path);
}

function shellTouches(subject: JudgedEvent, access: Access): readonly string[] | undefined {
  const touches = callAnalysis(subject)?.[access];
  if (touches === undefined || access === "connects") return touches;
  const text = shellTextOf(subject) ?? "";
  if (!text.includes("*** Begin Patch")) return inShellFolders(subject, touches);
  const files = patchedFiles(text).filter((file) => access === "writes" || file.reads);
  return inShellFolders(subject, [...touches, ...files.map((file) => file.path)]);
}

/** The globs by which a call names files, in the folders that it names too. */
function globsOf(subject: JudgedEvent): readonly string[] {
  const tool = toolOf(subject.event) ?? "";
  const names = Object.hasOwn(GLOB_FIELDS, tool) ? GLOB_FIELDS[tool] : undefined;
  if (names === undefined) return [];
  const globs = namedIn(readPath(subject.event, ["tool_input"]), (name) => names.has(plainName(name)));
  if (globs.length === 0 || tool === "Read") return globs;
  // A search looks for a name at any depth.
  const deep = tool === "Grep" ? globs.map((glob) => (glob.includes("/") ? glob : `**/${glob}`)) : globs;
  const folders = filesOf(subject);
  return folders.length === 0 ? deep : inFolders(folders, deep);
}

/** The texts under the given names, also in a list. */
function namedIn(from: unknown, isNamed: (name: string) => boolean): readonly string[] {
  if (typeof from !== "object" || from === null) return [];
  return Object.entries(from).flatMap(([name, value]) => {
    if (!isNamed(name)) return [];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.filter((item) => typeof item === "string" && item !== "").map(String);
  });
}

/** Fields whose value may be a host, or any other word: a subject, a part of a program, a search to narrow. */
const HOST_FIELDS: ReadonlySet<string> = new Set(["host", "hostname", "domain", "domains"]);
/** An address, a number of a machine, or a name with a dot or a port. */
const LOOKS_LIKE_HOST = /:\/\/|^\[|^localhost(?::|$)|^[^\s/]+:\d+$|^\d+(?:\.\d+){3}$/i;
const DOTTED_NAME = /^[\w-]+(?:\.[\w-]+)+\.?$/;

/** The hosts a call names. An address that can't be read stays as it is, since it may lead anywhere. */
function hostsOf(subject: JudgedEvent): readonly string[] {
  const input = readPath(subject.event, ["tool_input"]);
  const addresses = namedIn(input, (name) => isAddressField(name) && !HOST_FIELDS.has(plainName(name)));
  // Where a call also gives an address, a domain next to it only narrows or describes.
  const hosts = namedIn(input, (name) => /^host/.test(plainName(name)) && HOST_FIELDS.has(plainName(name)));
  const likely = hosts.filter((host) => LOOKS_LIKE_HOST.test(host) || DOTTED_NAME.test(host));
  const named = [...addresses, ...likely].filter((address) => !/^file:/i.test(address));
  // Next to an address, the prompt is a question about what is there.
  const prompt = textsOf(addresses.length > 0 ? undefined : readPath(input, ["prompt"]));
  const asked = prompt.flatMap((text) => text.match(ADDRESS) ?? []);
  return [...named, ...asked].map((address) => hostOf(address) ?? address);
}
