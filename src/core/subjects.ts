import type { AnyEvent } from "./event-types.ts";
import { isRecord } from "./json.ts";

/** The fields in which tools name the files they touch. */
const PATH_FIELDS = [
  "file_path",
  "path",
  "notebook_path",
  "filePath",
  "filepath",
  "file",
  "filename",
  "target_file",
  "absolute_path",
  "relative_path",
  "directory",
  "dir_path",
  "paths",
  "files",
  "file_paths",
] as const;

/** The line that names a file in a patch, as `apply_patch` tools take it. */
const PATCH_FILE = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

/** The tool an event is about: a call's, or the one that failed. */
export function toolOf(event: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof event.tool_name === "string") return event.tool_name;
  return typeof event.tool === "string" ? event.tool : undefined;
}

/** The model an event is about. */
export function modelOf(event: AnyEvent): string | undefined {
  const request = isRecord(event.request) ? event.request.model : undefined;
  for (const model of [event.new_model, event.model, request]) if (typeof model === "string") return model;
  return undefined;
}

/** The paths an event names, as written. */
export function pathsOf(event: AnyEvent): readonly string[] {
  const paths: string[] = [];
  if (typeof event.file_path === "string") paths.push(event.file_path);
  const input = event.tool_input;
  if (!isRecord(input)) return paths;
  for (const field of PATH_FIELDS) {
    const value = input[field];
    for (const path of Array.isArray(value) ? value : [value]) if (typeof path === "string") paths.push(path);
  }
  for (const field of ["input", "patch", "command"]) {
    const text = input[field];
    if (typeof text !== "string" || !text.includes("*** ")) continue;
    for (const found of text.matchAll(PATCH_FILE)) if (found[1] !== undefined) paths.push(found[1].trim());
  }
  return paths;
}

/** The hosts an event's call names: of every URL in its input, wherever it stands. Lower case, without port. */
export function domainsOf(event: AnyEvent): readonly string[] {
  const hosts = new Set<string>();
  collectHosts(event.tool_input, hosts);
  return [...hosts];
}

function collectHosts(value: unknown, hosts: Set<string>): void {
  if (typeof value === "string") {
    for (const host of hostsIn(value)) hosts.add(host);
  } else if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) collectHosts(item, hosts);
  }
}

const SCHEME_END = "://";
const URL_END = /[\s"'`<>|;()]/;
const LONGEST_URL = 2048;

/** The hosts of the URLs in a text; looks at each character a bounded number of times. */
export function hostsIn(text: string): readonly string[] {
  const hosts: string[] = [];
  for (let at = text.indexOf(SCHEME_END); at !== -1; at = text.indexOf(SCHEME_END, at + SCHEME_END.length)) {
    const rest = text.slice(at, at + LONGEST_URL);
    const stop = rest.search(URL_END);
    // The scheme does not matter for the host, and parsing as http also reads 0x7f.1 and the like as an address.
    const url = `http${stop === -1 ? rest : rest.slice(0, stop)}`;
    if (!URL.canParse(url)) continue;
    hosts.push(new URL(url).hostname.replace(/\.$/, ""));
  }
  return hosts;
}
