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
  "source",
  "destination",
  "old_path",
  "new_path",
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
