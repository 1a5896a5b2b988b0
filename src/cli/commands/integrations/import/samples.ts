import type { ImportedHook, ImportedIntegration } from "../../../../adapters/integration.ts";
import { isRecord, listOf } from "../../../../core/base/json.ts";
import { canonicalToolName } from "../../../../core/match/tool-names.ts";
import { camelCased } from "../../../../handlers/written-for.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Calls with our names of tools: everyday ones, and some that guards are written for. The first are tried for a hook on all tools. */
const CALLS: readonly (readonly [tool: string, ...inputs: readonly Fields[]])[] = [
  [
    "Bash",
    { command: "ls -la" },
    { command: "git push --force origin main" },
    { command: "rm -rf / --no-preserve-root" },
    { command: "cat .env && curl https://example.com" },
  ],
  [
    "Write",
    { file_path: "src/app.ts", content: "export const answer = 42;\n" },
    { file_path: ".env", content: "API_KEY=abc\n" },
  ],
  ["Edit", { file_path: "src/app.ts", old_string: "42", new_string: "43" }],
  ["Read", { file_path: "README.md" }, { file_path: ".env" }],
  ["NotebookEdit", { notebook_path: "notes.ipynb", new_source: "x" }],
  ["Glob", { pattern: "**/*.ts" }],
  ["Grep", { pattern: "TODO", path: "." }],
  ["WebFetch", { url: "https://example.com/", prompt: "Summarise" }],
  ["WebSearch", { query: "hooks" }],
  ["Task", { description: "Look", prompt: "Look around", subagent_type: "Explore" }],
  ["TodoWrite", { todos: [] }],
  ["mcp__server__tool", {}],
];
const MOST_CALLS = 9;

const COMMANDS: readonly Fields[] = [
  { command: "ls -la" },
  { command: "git push --force origin main" },
  { command: "rm -rf / --no-preserve-root" },
];
const FILES: readonly Fields[] = [{ file_path: ".env", content: "API_KEY=abc\n" }];

/** The fields of all other events, by our name or the agent's own. A matcher is about the first one. */
const OTHERS: Readonly<Record<string, readonly Fields[]>> = {
  SessionStart: [{ source: "startup" }, { source: "resume" }, { source: "compact" }],
  SessionEnd: [{ reason: "other" }],
  UserPromptSubmit: [{ prompt: "Fix the tests." }, { prompt: "My key is sk-123, deploy to production." }],
  PostToolBatch: [{ tool_calls: [] }],
  Stop: [
    { stop_hook_active: false, last_assistant_message: "Done." },
    { stop_hook_active: true, last_assistant_message: "Done." },
  ],
  SubagentStart: [{ agent_type: "Explore", agent_id: "a1" }],
  SubagentStop: [{ agent_type: "Explore", agent_id: "a1", stop_hook_active: false }],
  Error: [{ error_type: "rate_limit", error_message: "It failed." }],
  PreCompact: [{ trigger: "auto" }],
  PostCompact: [{ trigger: "auto", summary: "Short." }],
  Notification: [{ notification_type: "permission_prompt", message: "May it?" }],
  ModelSwitch: [{ new_model: "opus", old_model: "sonnet" }],
  Setup: [{ trigger: "init" }],
  UserPromptExpansion: [{ command_name: "review", expansion_type: "slash_command", prompt: "/review" }],
  ConfigChange: [{ source: "project_settings", file_path: ".claude/settings.json" }],
  FileChanged: [{ file_path: ".env", event: "change" }],
  CwdChanged: [{ old_cwd: "/", new_cwd: "/tmp" }],
  TaskCreated: [{ task_id: "1", task_subject: "Task" }],
  TaskCompleted: [{ task_id: "1", task_subject: "Task" }],
  beforeShellExecution: COMMANDS,
  afterShellExecution: COMMANDS,
  beforeMCPExecution: [{ tool_name: "say", tool_input: "{}", mcp_server_name: "voice" }],
  beforeReadFile: FILES,
  beforeTabFileRead: FILES,
  afterFileEdit: FILES,
};

/** What a call has when it is over. */
const AFTERWARDS: Readonly<Record<string, Fields>> = {
  PostToolUse: { tool_response: "done" },
  PostToolUseFailure: { error: "It failed." },
};

const TOOL_EVENTS: readonly string[] = [
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  ...Object.keys(AFTERWARDS),
];

/** Payloads as the agent sends them, for the event of a hook and what its matcher and its condition name. */
export function samplePayloads(
  integration: ImportedIntegration,
  hook: ImportedHook,
  cwd: string,
): readonly Fields[] {
  const { event, matcher } = hook.original;
  const name = nameOf(integration, hook);
  const payload = payloads(integration, hook, name, cwd);
  const isRun = (given: Fields): boolean => integration.importing.compared.runs(event, matcher, given);
  // Names, also in a regular expression, also with dots: those of files.
  const named = typeof matcher === "string" ? (matcher.match(/\.?[\w-]+(?:\.[\w-]+)*/g) ?? []) : [];
  if (TOOL_EVENTS.includes(name)) {
    const call = ([tool_name, tool_input]: Call): Fields =>
      payload({ tool_name, tool_input, tool_use_id: "toolu_sample", ...AFTERWARDS[name] });
    return callsFor(hook.original.handler.if, named, cwd, (given) => isRun(call(given))).map(call);
  }
  const usual = OTHERS[name] ?? [{}];
  const [field] = Object.keys(usual[0] ?? {});
  if (field === undefined) return usual.map(payload);
  const others = named.filter((value) => usual.every((fields) => fields[field] !== value));
  const asNamed = others.map((value) => payload({ ...usual[0], [field]: value }));
  return [...usual.map(payload), ...asNamed.filter(isRun)];
}

/** Our name of a hook's event, or the agent's for one that only it has. */
function nameOf({ table }: ImportedIntegration, { original: { event }, definition }: ImportedHook): string {
  const { events } = isRecord(definition?.matcher) ? definition.matcher : {};
  const [ours = event] = listOf(events);
  // What follows another event is ours only in part.
  return table.events[event]?.follows === undefined ? String(ours).replace(/^\w+:/, "") : event;
}

/** Makes the agent's payload of fields with our names. */
function payloads(
  { adapter }: ImportedIntegration,
  { original: { agent }, definition }: ImportedHook,
  hook_event_name: string,
  cwd: string,
): (fields: Fields) => Fields {
  const common = {
    hook_event_name,
    event_id: "check",
    seq: 1,
    timestamp: "2026-01-01T00:00:00.000Z",
    session_id: "00000000-0000-4000-8000-000000000000",
    cwd,
    host: adapter.name,
  };
  const own = agent === undefined ? {} : { agent_id: "a1", agent_type: agent };
  return (fields) => {
    const native = adapter.payloadOf({ ...common, ...fields, ...own });
    return definition?.native_keys === "camelCase" ? camelCased(native) : native;
  };
}

type Call = readonly [tool: string, input: Fields];

/** The calls for which a hook runs, at least one of each tool that is named. */
function callsFor(
  condition: unknown,
  named: readonly string[],
  cwd: string,
  isRun: (call: Call) => boolean,
): readonly Call[] {
  const [, tool, line] = /^(\w+)(?:\((.+?)(?::\*| \*)?\))?/.exec(String(condition ?? "")) ?? [];
  const usual = CALLS.flatMap(([name, ...inputs]) =>
    inputs.map((input): Call => [name, absolute(input, cwd)]),
  );
  const known = usual.filter((call) => (tool === undefined || call[0] === tool) && isRun(call));
  const others = (tool === undefined ? named : [tool])
    .map((name): Call => [name.endsWith("_") ? `${name}tool` : name, {}])
    .filter((call) => isRun(call) && known.every(([name]) => name !== canonicalToolName(call[0])));
  const asCondition: readonly Call[] =
    tool === "Bash" && line !== undefined ? [[tool, { command: line }]] : [];
  return [...asCondition, ...known.slice(0, MOST_CALLS), ...others];
}

const PATHS: readonly string[] = ["file_path", "notebook_path"];

function absolute(input: Fields, cwd: string): Fields {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      PATHS.includes(key) ? `${cwd}/${String(value)}` : value,
    ]),
  );
}
