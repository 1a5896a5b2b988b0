import { errorMessage } from "../base/error-text.ts";
import { TenterhookError } from "../base/errors.ts";
import { compileGlob } from "./glob.ts";

/**
 * The tools agents share, by our name, with the names other agents give the same tool. A hook that says `bash`
 * is asked for Claude Code's `Bash` and for Gemini's `run_shell_command` alike.
 */
export const TOOL_NAMES = {
  Bash: [
    "bash",
    "shell",
    "Shell",
    "local_shell",
    "shell_command",
    "exec_command",
    "run_shell_command",
    "run_command",
    "run_commands",
    "run_terminal_cmd",
    "run_terminal_command",
    "execute_command",
    "execute_bash",
    "Execute",
    "terminal",
    "Terminal",
    "powershell",
    "PowerShell",
    "launch-process",
    "write-process",
  ],
  Read: ["read", "read_file", "ReadFile", "read_many_files", "read_files", "view", "view_file", "open_file"],
  Write: [
    "write",
    "write_file",
    "WriteFile",
    "create",
    "create_file",
    "save_file",
    "save-file",
    "write_to_file",
  ],
  Edit: [
    "edit",
    "edit_file",
    "editor",
    "EditFile",
    "replace",
    "str_replace",
    "str_replace_editor",
    "str-replace-editor",
    "str_replace_based_edit_tool",
    "search_replace",
    "replace_in_file",
    "StrReplace",
    "MultiEdit",
    "multi_edit",
    "multiedit",
    "replace_file_content",
    "multi_replace_file_content",
  ],
  ApplyPatch: ["apply_patch", "applyPatch", "patch"],
  NotebookEdit: ["notebook_edit", "edit_notebook"],
  Delete: ["delete", "delete_file", "remove_file", "remove-files"],
  LS: ["ls", "list", "List", "list_dir", "list_directory", "list_files"],
  Glob: ["glob", "glob_file_search", "find_files", "file_search", "find_by_name"],
  Grep: ["grep", "grep_search", "grep-search", "search_file_content", "search_codebase", "rg"],
  WebFetch: [
    "web_fetch",
    "web-fetch",
    "webfetch",
    "fetch_web_content",
    "fetch",
    "Fetch",
    "fetch_url",
    "read_url_content",
  ],
  WebSearch: ["web_search", "web-search", "websearch", "google_web_search", "search_web"],
  Task: ["Agent", "task", "agent", "spawn_agent", "delegate_to_agent", "invoke_agent", "invoke_subagent"],
  Monitor: [],
  TaskStop: [],
  Memory: [],
  Skill: ["skill"],
  TodoWrite: ["todo_write", "todowrite", "write_todos", "update_plan"],
  AskUserQuestion: [
    "AskQuestion",
    "ask_user_question",
    "request_user_input",
    "ask_user",
    "ask-user",
    "ask_followup_question",
    "ask_question",
  ],
  EnterPlanMode: ["enter_plan_mode", "enter-plan-mode"],
  ExitPlanMode: ["exit_plan_mode", "exit-plan-mode", "plan_exit"],
} as const satisfies Record<string, readonly string[]>;

const CANONICAL = new Map<string, string>();
const SPELLINGS = new Map<string, readonly string[]>();
for (const [name, aliases] of Object.entries(TOOL_NAMES)) {
  SPELLINGS.set(name, [name, ...aliases]);
  CANONICAL.set(name, name);
  for (const alias of aliases) CANONICAL.set(alias, name);
}

/** Our name of a tool, whatever the agent calls it; the given name for a tool we do not know. */
export function canonicalToolName(name: string): string {
  return CANONICAL.get(name) ?? name;
}

/** The tool an event is about: a call's, or the one that failed. */
export function toolOf(event: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof event.tool_name === "string") return event.tool_name;
  return typeof event.tool === "string" ? event.tool : undefined;
}

/** Our name of that tool. */
export function canonicalToolOf(event: Readonly<Record<string, unknown>>): string | undefined {
  const tool = toolOf(event);
  return tool === undefined ? undefined : canonicalToolName(tool);
}

/** Tools that do the work of others: hooks on edits are asked about patches, and about changes of memory files. */
const ALSO_SELECTED: Readonly<Record<string, readonly string[]>> = {
  Edit: ["ApplyPatch", "Memory"],
  Write: ["ApplyPatch", "Memory"],
};

/** Our names of the tools that a name in a matcher selects. */
export function selectedTools(name: string): readonly string[] {
  const tool = canonicalToolName(name);
  return [tool, ...((Object.hasOwn(ALSO_SELECTED, tool) ? ALSO_SELECTED[tool] : undefined) ?? [])];
}

/** Every name of this tool, ours first; a tool we do not know has one. */
export function toolSpellings(name: string): readonly string[] {
  return SPELLINGS.get(canonicalToolName(name)) ?? [name];
}

/**
 * A test for the tools that a matcher names.
 *
 * @throws TenterhookError `bad_pattern`; `unsupported_matcher` for a regular expression without an engine.
 */
export function toolTest(
  names: readonly string[],
  place: string,
  { regex }: { readonly regex?: RegexCompiler },
): (name: string) => boolean {
  const [wrong, ...others] = names.filter(
    (name) => !/^\/.*\/i?$/s.test(name) && /[\^$()+\\]|\.[*+?]/.test(name),
  );
  if (wrong !== undefined) {
    const also = others.map((name) => ` The same goes for ${JSON.stringify(name)}.`).join("");
    throw new TenterhookError(
      "bad_pattern",
      `${place} has ${JSON.stringify(wrong)}, which fits no tool: it is a regular expression. Write it as ${JSON.stringify(`/${wrong}/`)}.${also}`,
    );
  }
  const wanted = compileNames(names, regex, place);
  const exact = new Set([...wanted.exact].flatMap(selectedTools));
  return (name) =>
    exact.has(canonicalToolName(name)) ||
    (wanted.patterns.length > 0 &&
      [name, ...selectingNames(name)].some((spelling) => matchesName(wanted, spelling)));
}

/** The names with which a matcher selects this tool. */
function selectingNames(name: string): readonly string[] {
  const tool = canonicalToolName(name);
  const others = Object.keys(ALSO_SELECTED).filter((other) => ALSO_SELECTED[other]?.includes(tool));
  return [tool, ...others].flatMap(toolSpellings);
}

/** Compiles a regular expression to a test that takes time linear in the text; throws when it can't. */
export type RegexCompiler = (source: string, ignoreCase: boolean) => (text: string) => boolean;

/** A list of names and patterns, taken apart: exact names are looked up, the rest is tried. */
export interface NamePatterns {
  readonly exact: ReadonlySet<string>;
  readonly patterns: readonly ((name: string) => boolean)[];
}

/**
 * Compiles names as matchers take them: `Bash`, `Read|Edit`, a glob (`mcp__*`) or `/a regular expression/`.
 *
 * @throws TenterhookError `bad_pattern`; `unsupported_matcher` for a regular expression where none can be compiled.
 */
export function compileNames(
  values: readonly string[],
  regex: RegexCompiler | undefined,
  place: string,
): NamePatterns {
  const exact = new Set<string>();
  const patterns: ((name: string) => boolean)[] = [];
  for (const value of values) {
    const expression = /^\/(.*)\/(i?)$/s.exec(value);
    if (expression !== null) {
      patterns.push(compileRegex(expression[1] ?? "", expression[2] === "i", regex, place));
      continue;
    }
    for (const name of value.split("|")) {
      const trimmed = name.trim();
      if (trimmed === "")
        throw new TenterhookError("bad_pattern", `${place} has an empty name in ${JSON.stringify(value)}.`);
      if (/[*?[{\\]/.test(trimmed)) patterns.push(compileGlob(trimmed, { kind: "text" }));
      else exact.add(trimmed);
    }
  }
  return { exact, patterns };
}

/** True when a name is in the list or fits one of its patterns. */
export function matchesName(names: NamePatterns, name: string): boolean {
  return names.exact.has(name) || names.patterns.some((pattern) => pattern(name));
}

function compileRegex(
  source: string,
  ignoreCase: boolean,
  regex: RegexCompiler | undefined,
  place: string,
): (text: string) => boolean {
  if (regex === undefined) {
    throw new TenterhookError(
      "unsupported_matcher",
      `${place} has the regular expression /${source}/, and this hook set was made without a regex engine.`,
    );
  }
  try {
    return regex(source, ignoreCase);
  } catch (cause) {
    const why = errorMessage(cause);
    throw new TenterhookError(
      "bad_pattern",
      `${place} has the regular expression /${source}/, which can't be compiled: ${why}.`,
      { cause },
    );
  }
}
