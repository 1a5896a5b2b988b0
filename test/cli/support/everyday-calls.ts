import { shellWord } from "../../../src/shared/shell-word.ts";
import { type Call, callsOf } from "./fixture-calls.ts";

/** An agent: how it says what another agent's call does, and what surrounds its calls. */
export interface CallingAgent {
  readonly title: string;
  /** `undefined` for what the agent has no tool for. */
  readonly translate: (call: Call, at: number) => Call | undefined;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly own: readonly Call[];
}

const quoted = (...words: readonly unknown[]): string =>
  words.map((word) => shellWord(String(word))).join(" ");

/** Codex reads and searches with its shell, and edits with patches. */
function shellOf([tool, input]: Call): string | undefined {
  const { command, path = ".", file_path, pattern, glob } = input;
  switch (tool) {
    case "Bash":
      return String(command);
    case "Read":
      return `sed -n '1,200p' ${quoted(file_path)}`;
    case "LS":
      return `ls -la ${quoted(path)}`;
    case "Glob":
      return `rg --files -g ${quoted(pattern, path)}`;
    case "Grep":
      return `rg -n ${glob === undefined ? "" : `-g ${quoted(glob)} `}${quoted(pattern, path)}`;
    default:
      return undefined;
  }
}

function patchOf([tool, { file_path, content, old_string, new_string }]: Call): string | undefined {
  const marked = (mark: string, text: unknown) => String(text).replace(/^/gm, mark);
  const body =
    tool === "Write"
      ? `*** Add File: ${file_path}\n${marked("+", content)}`
      : tool === "Edit"
        ? `*** Update File: ${file_path}\n@@\n${marked("-", old_string)}\n${marked("+", new_string)}`
        : undefined;
  return body === undefined ? undefined : `*** Begin Patch\n${body}\n*** End Patch\n`;
}

function byCodex(call: Call, at: number): Call | undefined {
  const line = shellOf(call);
  if (line !== undefined) {
    const ways: readonly Call[] = [
      ["Bash", { command: line }],
      ["shell", { command: ["bash", "-lc", line], workdir: "$PROJECT" }],
      ["exec_command", { cmd: line, workdir: "$PROJECT" }],
    ];
    return ways[at % ways.length];
  }
  const patch = patchOf(call);
  if (patch !== undefined) return ["apply_patch", { command: patch }];
  return call[0].startsWith("mcp__") ? call : undefined;
}

const GEMINI_TOOLS: Readonly<
  Record<string, readonly [tool: string, fields?: Readonly<Record<string, string>>]>
> = {
  Bash: ["run_shell_command"],
  Read: ["read_file", { file_path: "absolute_path" }],
  Write: ["write_file"],
  Edit: ["replace"],
  LS: ["list_directory"],
  Glob: ["glob"],
  Grep: ["search_file_content", { glob: "include" }],
  WebSearch: ["google_web_search"],
};

function byGemini(call: Call): Call | undefined {
  const [tool, input] = call;
  if (tool.startsWith("mcp__")) return call;
  if (tool === "WebFetch") return ["web_fetch", { prompt: `${input.prompt} ${input.url}` }];
  const [name, fields = {}] = GEMINI_TOOLS[tool] ?? [];
  if (name === undefined) return undefined;
  return [name, Object.fromEntries(Object.entries(input).map(([key, value]) => [fields[key] ?? key, value]))];
}

const PRE = { session_id: "s1", hook_event_name: "PreToolUse", cwd: "$PROJECT" };

export const CALLING_AGENTS: readonly CallingAgent[] = [
  {
    title: "Claude Code",
    translate: (call) => call,
    payload: {
      ...PRE,
      transcript_path: "/home/dev/.claude/projects/app/s1.jsonl",
      permission_mode: "default",
    },
    own: [],
  },
  {
    title: "Codex",
    translate: byCodex,
    payload: {
      ...PRE,
      transcript_path: "/home/dev/.codex/sessions/rollout-s1.jsonl",
      turn_id: "t1",
      model: "m",
    },
    own: callsOf("everyday-codex"),
  },
  {
    title: "Gemini CLI",
    translate: byGemini,
    payload: { ...PRE, transcript_path: "/home/dev/.gemini/tmp/s1.jsonl", hook_event_name: "BeforeTool" },
    own: callsOf("everyday-gemini"),
  },
];
