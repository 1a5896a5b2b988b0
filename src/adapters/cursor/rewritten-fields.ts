import { isRecord, sameJson } from "../../core/base/json.ts";

/** The fields of each tool that Cursor takes from a rewrite; it ignores every other one, and says nothing. */
const TAKEN: ReadonlyMap<string, readonly string[]> = new Map([
  ["Shell", ["command", "cwd", "timeout"]],
  ["Read", ["file_path"]],
  // Not the content: the file would be written as the model wanted it.
  ["Write", ["file_path"]],
  ["Delete", ["file_path"]],
  ["List", ["file_path"]],
  ["ReadLints", ["file_path"]],
  ["Grep", ["pattern", "file_path"]],
  ["Fetch", ["url"]],
  ["ListMcpResources", ["server"]],
  ["FetchMcpResource", ["server", "uri", "download_path"]],
]);

/**
 * True when the call has the new input after Cursor has merged it over the old one: only the listed fields, and none
 * taken away. Other tools are run elsewhere, and nobody knows what they take.
 */
export function rewritesTool(tool: unknown, before: unknown, after: unknown): boolean {
  if (typeof tool !== "string" || !isRecord(before) || !isRecord(after)) return false;
  if (Object.keys(before).some((key) => !Object.hasOwn(after, key))) return false;
  const changed = Object.keys(after).filter((key) => !sameJson(after[key], before[key]));
  if (tool.startsWith("MCP:")) return true;
  const taken = TAKEN.get(tool) ?? [];
  return changed.every((key) => taken.includes(key) && isLike(after[key], key === "timeout"));
}

function isLike(value: unknown, number: boolean): boolean {
  return number ? typeof value === "number" && value >= 0 : typeof value === "string";
}
