import type { NativePayload } from "./adapter.ts";
import { PLUGIN_FIELD } from "./plugins/wire.ts";

/**
 * Whether an agent sent a payload. The payload is proof, the environment only a hint: some agents set the variables of
 * others, and an agent that another one started inherits them.
 */
type Recognised = "by payload" | "by environment" | "no";

type Environment = Readonly<Record<string, string | undefined>>;

/** Never throws, whatever the payload contains. */
type Recognise = (payload: NativePayload, environment: Environment) => Recognised;

/** The names that only Gemini CLI has for its events. */
const GEMINI_EVENTS: ReadonlySet<unknown> = new Set([
  "BeforeAgent",
  "AfterAgent",
  "BeforeModel",
  "AfterModel",
  "BeforeToolSelection",
  "BeforeTool",
  "AfterTool",
  "PreCompress",
]);

/** Our plug-in names its agent. */
function byPlugin(name: string): Recognise {
  return (payload) => (payload[PLUGIN_FIELD] === name ? "by payload" : "no");
}

/**
 * How the sender of a payload is recognised, by the value of `host` in events, which is also its name on the command
 * line. In the order in which they are asked: agents that set others' variables come first. This is all that
 * `tenterhook hook` loads of an agent that does not call it.
 */
const RECOGNISED_BY = {
  opencode: byPlugin("opencode"),
  kilo: byPlugin("kilo"),
  pi: byPlugin("pi"),
  /** Cursor's payloads have the same fields; its events begin with a small letter, and its payloads name its version. */
  auggie: ({ hook_event_name, conversation_id, workspace_roots, cursor_version }, { AUGMENT_HOOK_EVENT }) => {
    const isNamed = typeof hook_event_name === "string" && /^[A-Z]/.test(hook_event_name);
    const isPlaced = typeof conversation_id === "string" && Array.isArray(workspace_roots);
    if (isNamed && isPlaced && cursor_version === undefined) return "by payload";
    return AUGMENT_HOOK_EVENT === undefined ? "no" : "by environment";
  },
  /** Its hooks also get the variable CLAUDE_PROJECT_DIR. */
  cursor: ({ hook_event_name, cursor_version, workspace_roots }, { CURSOR_VERSION, CURSOR_PROJECT_DIR }) => {
    if (typeof cursor_version === "string" || Array.isArray(workspace_roots)) return "by payload";
    const isNamed = hook_event_name === undefined || typeof hook_event_name === "string";
    return isNamed && (CURSOR_VERSION ?? CURSOR_PROJECT_DIR) !== undefined ? "by environment" : "no";
  },
  /** It also sets GEMINI_PROJECT_DIR and CLAUDE_PROJECT_DIR. */
  qwen: ({ hook_event_name, transcript_path }, { QWEN_CODE_SESSION_ID }) => {
    const isIts = typeof transcript_path === "string" && transcript_path.includes("/.qwen/");
    if (isIts && typeof hook_event_name === "string") return "by payload";
    return QWEN_CODE_SESSION_ID === undefined ? "no" : "by environment";
  },
  /** Some agents were made from Gemini CLI and set GEMINI_PROJECT_DIR; GEMINI_SESSION_ID is its own. */
  gemini: ({ hook_event_name, transcript_path }, { GEMINI_SESSION_ID }) => {
    if (typeof hook_event_name !== "string") return GEMINI_SESSION_ID === undefined ? "no" : "by environment";
    const isIts = typeof transcript_path === "string" && transcript_path.includes("/.gemini/");
    if (isIts || GEMINI_EVENTS.has(hook_event_name)) return "by payload";
    return GEMINI_SESSION_ID === undefined ? "no" : "by environment";
  },
  /** It sets no variable of its own. A session that is not saved has no transcript, but most of its events name a turn. */
  codex: ({ hook_event_name, transcript_path, turn_id, model, permission_mode, source }) => {
    if (typeof hook_event_name !== "string") return "no";
    if (typeof transcript_path === "string")
      return /[\\/]rollout-[^\\/]*$/.test(transcript_path) ? "by payload" : "no";
    const isStart = source !== undefined && permission_mode !== undefined;
    return transcript_path === null && model !== undefined && (turn_id !== undefined || isStart)
      ? "by payload"
      : "no";
  },
  /** Its payloads name no event, and its documentation no variable. */
  antigravity: ({ conversationId, workspacePaths }) =>
    typeof conversationId === "string" && Array.isArray(workspacePaths) ? "by payload" : "no",
  /** The only agent that calls the name of an event `agent_action_name`. Its documentation names no variable. */
  windsurf: ({ agent_action_name }) => (typeof agent_action_name === "string" ? "by payload" : "no"),
  /** The only agent that calls the name of an event `event`. What its hooks start inherits CRUSH_EVENT. */
  crush: ({ event, hook_event_name, session_id, cwd }, { CRUSH_EVENT }) => {
    if (hook_event_name !== undefined) return "no";
    const isIts = typeof event === "string" && typeof session_id === "string" && typeof cwd === "string";
    if (isIts) return "by payload";
    return CRUSH_EVENT === undefined ? "no" : "by environment";
  },
  /** It sets no variable of its own for hooks. */
  cline: ({ hookName, taskId, workspaceRoots }) =>
    typeof hookName === "string" && typeof taskId === "string" && Array.isArray(workspaceRoots)
      ? "by payload"
      : "no",
  /** Its hooks also get the variable CLAUDE_PROJECT_DIR, and payloads that look like Claude Code's. */
  copilot: (
    { sessionId, timestamp, transcript_path, session_id, permission_mode },
    { COPILOT_CLI, COPILOT_PROJECT_DIR },
  ) => {
    if (typeof sessionId === "string" && typeof timestamp === "number") return "by payload";
    if ((COPILOT_CLI ?? COPILOT_PROJECT_DIR) === undefined) return "no";
    // Others whose payloads have a time name a transcript in all of them.
    const isTimed = typeof timestamp === "string" && typeof session_id === "string";
    const isOwn =
      transcript_path === undefined ||
      (typeof transcript_path === "string" && /[/\\]\.copilot[/\\]/.test(transcript_path));
    return isTimed && isOwn && permission_mode === undefined ? "by payload" : "by environment";
  },
  /** Its transcripts are below `.claude` unless CLAUDE_CONFIG_DIR says otherwise. */
  claude: ({ hook_event_name, transcript_path }, { CLAUDECODE, CLAUDE_PROJECT_DIR }) => {
    if (typeof hook_event_name !== "string") return "no";
    if (typeof transcript_path === "string" && transcript_path.includes("/.claude/")) return "by payload";
    return CLAUDECODE !== undefined || CLAUDE_PROJECT_DIR !== undefined ? "by environment" : "no";
  },
} as const satisfies Readonly<Record<string, Recognise>>;

export type AgentName = keyof typeof RECOGNISED_BY;

export function isAgentName(name: string): name is AgentName {
  return Object.hasOwn(RECOGNISED_BY, name);
}

/** The first agent whose payload it is; else the first whose environment it is. */
export function senderOf(payload: NativePayload, environment: Environment): AgentName | undefined {
  let likely: AgentName | undefined;
  for (const name of Object.keys(RECOGNISED_BY).filter(isAgentName)) {
    const recognise: Recognise = RECOGNISED_BY[name];
    const recognised = recognise(payload, environment);
    if (recognised === "by payload") return name;
    if (recognised === "by environment") likely ??= name;
  }
  return likely;
}
