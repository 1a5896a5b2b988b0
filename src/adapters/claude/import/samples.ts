import type { OriginalHook } from "../../bridge.ts";
import { TOOL_EVENTS } from "../events.ts";

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

/** Payloads as Claude Code sends them, for an event and the tools of a matcher. */
export function sampleEvents({ event, matcher, handler }: OriginalHook, cwd: string): readonly Fields[] {
  const condition = handler.if;
  const common = {
    session_id: "00000000-0000-4000-8000-000000000000",
    transcript_path: `${cwd}/transcript.jsonl`,
    cwd,
    hook_event_name: event,
  };
  if (!TOOL_EVENTS.has(event)) return (FIELDS[event] ?? [{}]).map((fields) => ({ ...common, ...fields }));
  return toolsFor(matcher, condition).flatMap((tool_name) =>
    [...conditionInputs(tool_name, condition), ...(INPUTS[tool_name] ?? [{}])].map((input) => ({
      ...common,
      permission_mode: "default",
      tool_name,
      tool_input: absolute(input, cwd),
      tool_use_id: "toolu_sample",
      ...AFTERWARDS[event],
    })),
  );
}

const AFTERWARDS: Readonly<Record<string, Fields>> = {
  PostToolUse: {
    tool_response: { stdout: "done", stderr: "", interrupted: false, isImage: false },
    duration_ms: 5,
  },
  PostToolUseFailure: { error: "It failed.", is_interrupt: false },
  PermissionDenied: { reason: "classifier" },
};

/** A call of the command that a condition names. */
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
  if (/^[\w|, -]+$/.test(all)) return all.split(/[|,]/).map((name) => name.trim());
  const known = [
    ...Object.keys(INPUTS),
    "mcp__server__tool",
    ...(all.match(/mcp__\w+/g) ?? []).map((name) => `${name}tool`),
  ];
  return known.filter((tool) => matchesTool(all, tool));
}

/** True when Claude Code's matcher fits a tool. */
export function matchesTool(matcher: unknown, tool: unknown): boolean {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  if (typeof tool !== "string") return true;
  if (/^[\w|, -]+$/.test(matcher)) return matcher.split(/[|,]/).some((name) => name.trim() === tool);
  try {
    return new RegExp(matcher).test(tool.slice(0, 100));
  } catch {
    return false;
  }
}

function absolute(input: Fields, cwd: string): Fields {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      PATHS.includes(key) ? `${cwd}/${String(value)}` : value,
    ]),
  );
}
