import { isRecord, sameJson, withoutUndefined } from "../../core/base/json.ts";
import { shellWord } from "../../shared/shell-word.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Call {
  readonly tool_name: string;
  readonly tool_input: Fields | undefined;
}

/** How a tool of Cline is called, in our words and in its own. */
interface Tool {
  /** `undefined` for an input that can't be read. */
  ours(input: unknown): Call | undefined;
  /** `undefined` for an input that it does not take. */
  native(input: Fields): unknown;
}

const TOOLS: Readonly<Record<string, Tool>> = {
  run_commands: {
    ours: (input) => {
      const lines = commandLines(input);
      return lines && { tool_name: "Bash", tool_input: { command: oneCommand(lines) } };
    },
    native: ({ command, ...rest }) =>
      typeof command === "string" && isEmpty(rest) ? { commands: [command] } : undefined,
  },
  editor: {
    ours: (input) => {
      if (!isRecord(input)) return undefined;
      const { path: file_path, old_text, new_text, ...rest } = input;
      // It also makes a new file when the old text is given; only then is there something to look for.
      return (old_text ?? rest.insert_line ?? undefined) === undefined
        ? { tool_name: "Write", tool_input: { file_path, content: new_text } }
        : {
            tool_name: "Edit",
            tool_input: { file_path, old_string: old_text, new_string: new_text, ...rest },
          };
    },
    native: ({ file_path: path, old_string, new_string, content = new_string, insert_line, ...rest }) =>
      typeof path === "string" && typeof content === "string" && isEmpty(rest)
        ? withoutUndefined({ path, old_text: old_string, new_text: content, insert_line })
        : undefined,
  },
  read_files: {
    ours: (input) => {
      const files = filesIn(input);
      if (files === undefined) return undefined;
      const [first, ...others] = files;
      if (first === undefined || others.length > 0) return { tool_name: "Read", tool_input: { files } };
      const { path: file_path, ...rest } = first;
      return { tool_name: "Read", tool_input: { file_path, ...rest } };
    },
    native: ({ files, file_path: path, ...rest }) => {
      if (typeof path === "string") return { files: [{ path, ...rest }] };
      return Array.isArray(files) && isEmpty(rest) ? { files } : undefined;
    },
  },
  search_codebase: {
    ours: (input) => {
      const queries = listOf(input, "queries");
      return {
        tool_name: "Grep",
        tool_input: queries.length === 1 ? { pattern: queries[0] } : { queries },
      };
    },
    native: ({ queries, pattern, ...rest }) => {
      if (!isEmpty(rest)) return undefined;
      return typeof pattern === "string"
        ? { queries: [pattern] }
        : Array.isArray(queries)
          ? { queries }
          : undefined;
    },
  },
  fetch_web_content: {
    ours: (input) => {
      const requests = listOf(input, "requests").filter(isRecord);
      const [first, ...others] = requests;
      const tool_input =
        first !== undefined && others.length === 0 ? first : { urls: urlsOf(requests), requests };
      return { tool_name: "WebFetch", tool_input };
    },
    native: ({ requests, urls, ...one }) => {
      if (requests === undefined) return typeof one.url === "string" ? { requests: [one] } : undefined;
      return Array.isArray(requests) && sameJson(urlsOf(requests), urls) ? { requests } : undefined;
    },
  },
  apply_patch: {
    ours: (input) => ({
      tool_name: "ApplyPatch",
      tool_input: isRecord(input) ? input : typeof input === "string" ? { input } : undefined,
    }),
    native: (input) => input,
  },
};

/** Its tools that do nothing when their input is `null`; one of an MCP server or a plug-in may run all the same. */
export const REJECT_NULL: readonly string[] = [
  "read_files search_codebase run_commands fetch_web_content editor apply_patch skills ask_question submit_and_exit",
  "spawn_agent team_spawn_teammate team_shutdown_teammate team_status team_task team_run_task team_cancel_run",
  "team_list_runs team_await_runs team_send_message team_broadcast team_read_mailbox team_mission_log team_cleanup",
  "team_create_outcome team_attach_outcome_fragment team_review_outcome_fragment team_finalize_outcome",
  "team_list_outcomes",
].flatMap((names) => names.split(" "));

export function rejectsNull(tool: unknown): boolean {
  return typeof tool === "string" && REJECT_NULL.includes(tool);
}

/** A call in our words. Without an input when it can't be read: then a gate is refused. */
export function callOf(name: string, input: unknown): Call {
  const known = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (known !== undefined) return known.ours(input) ?? { tool_name: name, tool_input: undefined };
  return { tool_name: toolName(name), tool_input: isRecord(input) ? input : undefined };
}

/** An input in Cline's words; `undefined` when it can't have it. */
export function nativeInput(name: unknown, input: Fields): unknown {
  const known = typeof name === "string" && Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  return known === undefined ? input : known.native(input);
}

/** Tools of MCP servers are called `server__tool`. */
function toolName(name: string): string {
  return !rejectsNull(name) && name.includes("__") && !name.startsWith("mcp__") ? `mcp__${name}` : name;
}

/**
 * All files that an input of `read_files` names, in any of the forms it takes; `undefined` when one can't be read. What it
 * ignores when there are several forms is judged too.
 */
function filesIn(input: unknown): readonly Fields[] | undefined {
  const { files, paths, file_paths, path, file_path, filePath, ...rest } = isRecord(input) ? input : {};
  const one = [path, file_path, filePath].filter((name) => name !== undefined);
  const items = isRecord(input)
    ? [files, paths, file_paths]
        .flatMap((list) => list ?? [])
        .concat(one.map((name) => ({ path: name, ...rest })))
    : [input].flat();
  const found = items.map((item): Fields | undefined => {
    if (typeof item === "string") return { path: item };
    if (!isRecord(item)) return undefined;
    const { path, file_path = path, filePath = file_path, ...range } = item;
    return typeof filePath === "string" ? { path: filePath, ...range } : undefined;
  });
  const readable = found.filter((file) => file !== undefined);
  return readable.length === found.length ? readable : undefined;
}

/** The items of an input that may be a list, an object with one, or a single item. */
function listOf(input: unknown, name: string): readonly unknown[] {
  return [isRecord(input) ? (input[name] ?? input) : input].flat();
}

function urlsOf(requests: readonly unknown[]): readonly unknown[] {
  return requests.flatMap((request) => (isRecord(request) ? [request.url] : []));
}

function isEmpty(fields: Fields): boolean {
  return Object.keys(fields).length === 0;
}

/**
 * The lines that `run_commands` would run; `undefined` when they can't be read. It takes them in many forms, and what it
 * ignores when there are several is judged too.
 */
function commandLines(input: unknown): readonly string[] | undefined {
  const items = itemsIn(input);
  const lines = items?.map(lineOf).filter((line) => line !== undefined);
  return lines?.length === items?.length ? lines : undefined;
}

function itemsIn(input: unknown): readonly unknown[] | undefined {
  if (typeof input === "string") return [input];
  if (Array.isArray(input)) return input;
  if (!isRecord(input)) return undefined;
  const { commands, command, args, cmd } = input;
  const items = [
    ...(Array.isArray(commands) ? commands : [commands]),
    args === undefined ? command : { command, args },
    cmd,
  ].filter((item) => item !== undefined);
  return items.length === 0 && commands === undefined ? undefined : items;
}

/** A line for the shell, or a program with its arguments, which it starts without one. */
function lineOf(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  if (!isRecord(item) || typeof item.command !== "string") return undefined;
  const { command, args } = item;
  if (args === undefined) return command;
  if (!Array.isArray(args) || args.some((arg) => typeof arg !== "string")) return undefined;
  return [command, ...args].map(shellWord).join(" ");
}

/** Words and signs that leave nothing open for the next line. */
const PLAIN = /^[\w@%+=:,./~ *?|&;>-]*[\w@%+=:,./~*? ;-]$/;
/** Words that may begin something which goes on in the next line. */
const OPENS = /\b(?:if|then|elif|else|for|while|until|do|case|select|function|coproc|time)\b/;

/**
 * Several lines as one text. Cline runs each in a shell of its own, at the same time: a quote or a here-document that one
 * leaves open must not hide the next.
 */
function oneCommand(lines: readonly string[]): string {
  if (lines.length === 1) return lines.join("");
  return lines
    .map((line) => (PLAIN.test(line) && !OPENS.test(line) ? line : `bash -c ${shellWord(line)}`))
    .join("\n");
}
