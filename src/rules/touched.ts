import { patchedFiles, patchTextOf } from "./patch.ts";
import { PATH_FIELDS } from "./paths.ts";
import type { ShellAnalysis } from "./shell/analysis.ts";
import { analysisOf } from "./shell-analysis.ts";
import { isKnownTool, shellTextOf, toolOf } from "./shell-text.ts";
import type { Subject } from "./subject.ts";
import { readPath, textsOf } from "./values.ts";

/** A way a call can touch something. */
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
  Delete: ["writes"],
  WebFetch: ["connects"],
};
const VIEWING = new Set(["view", "read", "cat"]);
const FILE_NAMES: ReadonlySet<string> = new Set(PATH_FIELDS);
const URL_NAMES: ReadonlySet<string> = new Set(["url", "uri", "urls", "href", "endpoint", "base_url"]);
const DEEPEST = 3;
const ADDRESS = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>()]+/gi;

/**
 * What the call touches: paths as written, or hosts. `strict` keeps only what the call certainly does, for rules that
 * allow: a tool nobody knows then touches nothing, and an Edit does not count as reading.
 */
export function touchedBy(subject: Subject, access: Access, strict: boolean): readonly string[] {
  const shell = shellTextOf(subject);
  if (shell !== undefined) return shellTouches(analysisOf(subject, shell), shell, access);
  const tool = toolOf(subject.event);
  if (tool === "ApplyPatch") return patchTouches(subject, access, strict);
  const does = tool === undefined ? [] : (TOOLS[tool] ?? []);
  const views = tool === "Edit" && VIEWING.has(String(readPath(subject.event, ["tool_input", "command"])));
  if (views) return access === "reads" ? filesOf(subject) : [];
  const known = tool !== undefined && isKnownTool(tool);
  const touches = known
    ? does.includes(access) || (access === "reads" && does.includes("rereads") && !strict)
    : !strict;
  if (!touches) return [];
  return access === "connects" ? hostsOf(subject) : filesOf(subject);
}

/** The files a call names, as written: of a tool's input, of a patch, or of the event itself. */
export function filesOf(subject: Subject): readonly string[] {
  const tool = toolOf(subject.event);
  if (tool === "Bash") return [];
  if (tool === "ApplyPatch") return patched(subject).map((file) => file.path);
  const input = readPath(subject.event, ["tool_input"]);
  return namedIn(input === undefined ? subject.event : input, FILE_NAMES);
}

function patched(subject: Subject) {
  return patchedFiles(patchTextOf(readPath(subject.event, ["tool_input"])) ?? "");
}

function patchTouches(subject: Subject, access: Access, strict: boolean): readonly string[] {
  if (access === "connects" || (access === "reads" && strict)) return [];
  return patched(subject)
    .filter((file) => access === "writes" || file.reads)
    .map((file) => file.path);
}

function shellTouches(analysis: ShellAnalysis, text: string, access: Access): readonly string[] {
  if (access === "connects" || !text.includes("*** Begin Patch")) return analysis[access];
  const files = patchedFiles(text).filter((file) => access === "writes" || file.reads);
  return [...analysis[access], ...files.map((file) => file.path)];
}

/** The texts under the given names, also in a list, and in the objects of a list. */
function namedIn(
  from: unknown,
  names: ReadonlySet<string>,
  found: string[] = [],
  depth = 0,
): readonly string[] {
  if (typeof from !== "object" || from === null) return found;
  for (const name of Object.keys(from)) {
    if (!names.has(name)) continue;
    const value: unknown = Reflect.get(from, name);
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === "string" && item !== "") found.push(item);
      else if (Array.isArray(value) && depth < DEEPEST) namedIn(item, names, found, depth + 1);
    }
  }
  return found;
}

function hostsOf(subject: Subject): readonly string[] {
  const input = readPath(subject.event, ["tool_input"]);
  const named = namedIn(input, URL_NAMES);
  const prompt = textsOf(readPath(input, ["prompt"])).flatMap((text) => text.match(ADDRESS) ?? []);
  return [...named, ...prompt].flatMap((address) => hostOf(address) ?? []);
}

/** The host of an address, in lower case and without port; an address without scheme is read as https. */
export function hostOf(address: string): string | undefined {
  for (const candidate of [address, `https://${address}`]) {
    try {
      const { hostname } = new URL(candidate);
      if (hostname !== "") return hostname.replace(/\.$/, "");
    } catch {
      // Not an address this way; the next candidate decides.
    }
  }
  return undefined;
}
