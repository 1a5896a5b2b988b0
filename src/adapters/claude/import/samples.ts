import { basename } from "node:path";
import type { OriginalHook } from "../../integration.ts";
import { TOOL_EVENTS } from "../events.ts";
import { COMPARED, namesIn, PLAIN } from "./matcher.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Inputs of tools: everyday ones, and some that guards are written for. */
const INPUTS: Readonly<Record<string, readonly Fields[]>> = {
  Bash: [
    { command: "ls -la", description: "List files" },
    { command: "git push --force origin main", description: "Push" },
    { command: "rm -rf / --no-preserve-root", description: "Delete" },
    { command: "cat .env && curl https://example.com", description: "Read and send" },
  ],
  Write: [
    { file_path: "src/app.ts", content: "export const answer = 42;\n" },
    { file_path: ".env", content: "API_KEY=abc\n" },
  ],
  Edit: [{ file_path: "src/app.ts", old_string: "42", new_string: "43", replace_all: false }],
  MultiEdit: [{ file_path: "src/app.ts", edits: [{ old_string: "42", new_string: "43" }] }],
  NotebookEdit: [{ notebook_path: "notes.ipynb", new_source: "x" }],
  Read: [{ file_path: "README.md" }, { file_path: ".env" }],
  Glob: [{ pattern: "**/*.ts" }],
  Grep: [{ pattern: "TODO", path: "." }],
  WebFetch: [{ url: "https://example.com/", prompt: "Summarise" }],
  WebSearch: [{ query: "hooks" }],
  Task: [{ description: "Look", prompt: "Look around", subagent_type: "Explore" }],
  TodoWrite: [{ todos: [] }],
};
const PATHS = ["file_path", "notebook_path"];

/** Fields of events about anything else, each with the values that matter most. */
const FIELDS: Readonly<Record<string, readonly Fields[]>> = {
  SessionStart: [{ source: "startup" }, { source: "resume" }, { source: "compact" }],
  SessionEnd: [{ reason: "other" }],
  Setup: [{ trigger: "init" }],
  UserPromptSubmit: [{ prompt: "Fix the tests." }, { prompt: "My key is sk-123, deploy to production." }],
  UserPromptExpansion: [
    {
      expansion_type: "slash_command",
      command_name: "review",
      command_args: "",
      command_source: "project",
      prompt: "/review",
    },
  ],
  PostToolBatch: [{ tool_calls: [] }],
  Stop: [
    { stop_hook_active: false, last_assistant_message: "Done." },
    { stop_hook_active: true, last_assistant_message: "Done." },
  ],
  SubagentStart: [{ agent_id: "a1", agent_type: "Explore" }],
  SubagentStop: [{ stop_hook_active: false, agent_id: "a1", agent_type: "Explore" }],
  StopFailure: [{ error: "rate_limit" }],
  PreCompact: [{ trigger: "auto", custom_instructions: "" }],
  PostCompact: [{ trigger: "auto", compact_summary: "Short." }],
  Notification: [{ message: "Claude needs your permission", notification_type: "permission_prompt" }],
  ConfigChange: [{ source: "project_settings", file_path: ".claude/settings.json" }],
  FileChanged: [{ file_path: ".env", event: "change" }],
  CwdChanged: [{ old_cwd: "/", new_cwd: "/tmp" }],
  TaskCreated: [{ task_id: "1", task_subject: "Task" }],
  TaskCompleted: [{ task_id: "1", task_subject: "Task" }],
};

/** Payloads as Claude Code sends them, for the event of a hook and what its matcher names. */
export function sampleEvents(
  { event, matcher, handler, agent }: OriginalHook,
  cwd: string,
): readonly Fields[] {
  const condition = handler.if;
  const common = {
    session_id: "00000000-0000-4000-8000-000000000000",
    transcript_path: `${cwd}/transcript.jsonl`,
    cwd,
    hook_event_name: event,
  };
  const own = agent === undefined ? {} : { agent_id: "a1", agent_type: agent };
  if (!TOOL_EVENTS.has(event))
    return namedFields(event, matcher).map((fields) => ({ ...common, ...fields, ...own }));
  return toolsFor(matcher, condition).flatMap((tool_name) =>
    [...conditionInputs(tool_name, condition), ...(INPUTS[tool_name] ?? [{}])].map((input) => ({
      ...common,
      ...own,
      permission_mode: "default",
      tool_name,
      tool_input: absolute(input, cwd),
      tool_use_id: "toolu_sample",
      ...AFTERWARDS[event],
    })),
  );
}

/** The usual fields of an event, and those that a matcher with names asks for. */
function namedFields(event: string, matcher: unknown): readonly Fields[] {
  const usual = FIELDS[event] ?? [{}];
  const field = event === "FileChanged" ? "file_path" : COMPARED.get(event)?.field;
  if (field === undefined || typeof matcher !== "string") return usual;
  const names =
    event === "FileChanged" ? namesIn(matcher, /\|/) : PLAIN.test(matcher) ? namesIn(matcher) : [];
  const others = names.filter((name) => usual.every((fields) => fields[field] !== name));
  return [...usual, ...others.map((name) => ({ ...usual[0], [field]: name }))];
}

const AFTERWARDS: Readonly<Record<string, Fields>> = {
  PostToolUse: {
    tool_response: { stdout: "done", stderr: "", interrupted: false, isImage: false },
    duration_ms: 5,
  },
  PostToolUseFailure: { error: "It failed.", is_interrupt: false },
  PermissionDenied: { reason: "classifier" },
};

function conditionInputs(tool: string, condition: unknown): readonly Fields[] {
  const line = /^Bash\((.+?)(?::\*| \*)?\)$/.exec(String(condition))?.[1];
  return tool === "Bash" && line !== undefined
    ? [{ command: line, description: "As its condition says" }]
    : [];
}

/** The tools that a matcher names or fits; of a server, one that may be there. */
function toolsFor(matcher: unknown, condition: unknown): readonly string[] {
  const named = /^\w+/.exec(typeof condition === "string" ? condition : "")?.[0];
  if (named !== undefined) return [named];
  const all = typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : undefined;
  if (all === undefined) return ["Bash", "Write", "Edit", "Read"];
  if (PLAIN.test(all)) return namesIn(all);
  const known = [
    ...Object.keys(INPUTS),
    "mcp__server__tool",
    ...(all.match(/mcp__\w+/g) ?? []).map((name) => `${name}tool`),
  ];
  return known.filter((tool) => fits(all, tool));
}

/** True when Claude Code runs a hook for a payload of its event, as far as its matcher says. */
export function runsFor({ event, matcher, agent }: OriginalHook, payload: Fields): boolean {
  if (agent !== undefined && payload.agent_type !== agent) return false;
  if (event === "FileChanged")
    return namesIn(String(matcher ?? ""), /\|/).includes(basename(String(payload.file_path)));
  const field = TOOL_EVENTS.has(event) ? "tool_name" : COMPARED.get(event)?.field;
  return field === undefined || fits(matcher, payload[field]);
}

function fits(matcher: unknown, value: unknown): boolean {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  if (typeof value !== "string") return false;
  if (PLAIN.test(matcher)) return namesIn(matcher).includes(value);
  try {
    return new RegExp(matcher).test(value.slice(0, LONGEST_VALUE));
  } catch {
    return false;
  }
}

/** A bad expression takes twice as long with every letter. */
const LONGEST_VALUE = 100;

function absolute(input: Fields, cwd: string): Fields {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      PATHS.includes(key) ? `${cwd}/${String(value)}` : value,
    ]),
  );
}
