import { stringList } from "../../core/base/check-options.ts";
import { nearestName } from "../../core/base/suggest.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";

/**
 * The fields of the inputs of common tools, by our names of the tools, for messages about misspelt ones. Agents have more
 * of their own, so that a name which is not here is no mistake by itself.
 */
const TOOL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Bash: ["command", "description", "timeout", "run_in_background"],
  Read: ["file_path", "offset", "limit", "pages"],
  Write: ["file_path", "content"],
  Edit: ["file_path", "old_string", "new_string", "replace_all"],
  MultiEdit: ["file_path", "edits"],
  NotebookEdit: ["notebook_path", "new_source", "cell_id", "cell_type", "edit_mode"],
  Glob: ["pattern", "path"],
  Grep: ["pattern", "path", "glob", "type", "output_mode", "multiline", "head_limit"],
  WebFetch: ["url", "prompt"],
  WebSearch: ["query", "allowed_domains", "blocked_domains"],
};

/** The tools of a matcher as far as it names them; all that have a table when it names none. */
export function matchedTools(given: unknown): readonly string[] {
  if (given === undefined) return Object.keys(TOOL_FIELDS);
  const names = stringList(given, "tools").flatMap((text) =>
    text.startsWith("/") ? [text] : text.split("|"),
  );
  return names.map(canonicalToolName);
}

/**
 * Says what is wrong with a field such as `args.comand`: these tools have another name, but nearly that one. Others are
 * let pass: agents have fields that nobody can list.
 */
export function wrongArgument(field: string, tools: readonly string[]): string | undefined {
  const [root = "", part] = field.split(/[.[]/);
  if ((root !== "args" && root !== "tool_input") || part === undefined) return undefined;
  const known = tools.flatMap((tool) => TOOL_FIELDS[tool] ?? [part]);
  const near = known.includes(part) ? undefined : nearestName(part, known);
  if (near === undefined) return undefined;
  const who = tools.length > 3 ? "No tool" : tools.join(" and ");
  return `${who} has ${tools.length > 3 ? "a" : "no"} field ${JSON.stringify(`${root}.${part}`)}. Did you mean ${JSON.stringify(`${root}.${near}`)}?`;
}
