import { TenterhookError } from "../core/base/errors.ts";
import { didYouMean } from "../core/base/suggest.ts";
import { AGENT_NAMES, type AgentName, isAgentName } from "../core/events/agent-names.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { Adapter, NativePayload } from "./adapter.ts";
import { claude } from "./claude/claude.ts";
import { PLUGIN_FIELD } from "./plugins/wire.ts";
import { UNGUARDED_AGENTS } from "./unguarded-agents.ts";

/**
 * Whether an agent sent a payload. The payload is proof, the environment only a hint: some agents set the variables of
 * others, and an agent that another one started inherits them.
 */
type Recognised = "by payload" | "by environment" | "no";

type Environment = Readonly<Record<string, string | undefined>>;

/** A foreign agent. `tenterhook hook` loads the adapter of the one that calls it. */
interface KnownAgent {
  /** Never throws, whatever the payload contains. */
  readonly recognise: (payload: NativePayload, environment: Environment) => Recognised;
  readonly adapter: () => Promise<Adapter>;
}

/** For payloads that no agent recognises: most agents copied Claude Code's format. */
export const USUAL_ADAPTER: Adapter = claude;

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
function byPlugin(name: string): KnownAgent["recognise"] {
  return (payload) => (payload[PLUGIN_FIELD] === name ? "by payload" : "no");
}

/**
 * All agents, by the value of `host` in events, which is also their name on the command line. In the order in which they
 * are asked about a payload: agents that set others' variables come first.
 */
const AGENTS: Readonly<Record<AgentName, KnownAgent>> = {
  opencode: {
    recognise: byPlugin("opencode"),
    adapter: async () => (await import("./opencode/opencode.ts")).opencode,
  },
  kilo: {
    recognise: byPlugin("kilo"),
    adapter: async () => (await import("./kilo/kilo.ts")).kilo,
  },
  pi: {
    recognise: byPlugin("pi"),
    adapter: async () => (await import("./pi/pi.ts")).pi,
  },
  /** Cursor's payloads have the same fields; its events begin with a small letter, and its payloads name its version. */
  auggie: {
    recognise: (
      { hook_event_name, conversation_id, workspace_roots, cursor_version },
      { AUGMENT_HOOK_EVENT },
    ) => {
      const isNamed = typeof hook_event_name === "string" && /^[A-Z]/.test(hook_event_name);
      const isPlaced = typeof conversation_id === "string" && Array.isArray(workspace_roots);
      if (isNamed && isPlaced && cursor_version === undefined) return "by payload";
      return AUGMENT_HOOK_EVENT === undefined ? "no" : "by environment";
    },
    adapter: async () => (await import("./auggie/auggie.ts")).auggie,
  },
  /** Its hooks also get the variable CLAUDE_PROJECT_DIR. */
  cursor: {
    recognise: (
      { hook_event_name, cursor_version, workspace_roots },
      { CURSOR_VERSION, CURSOR_PROJECT_DIR },
    ) => {
      if (typeof cursor_version === "string" || Array.isArray(workspace_roots)) return "by payload";
      const isNamed = hook_event_name === undefined || typeof hook_event_name === "string";
      return isNamed && (CURSOR_VERSION ?? CURSOR_PROJECT_DIR) !== undefined ? "by environment" : "no";
    },
    adapter: async () => (await import("./cursor/cursor.ts")).cursor,
  },
  /** It also sets GEMINI_PROJECT_DIR and CLAUDE_PROJECT_DIR. */
  qwen: {
    recognise: ({ hook_event_name, transcript_path }, { QWEN_CODE_SESSION_ID }) => {
      const isIts = typeof transcript_path === "string" && transcript_path.includes("/.qwen/");
      if (isIts && typeof hook_event_name === "string") return "by payload";
      return QWEN_CODE_SESSION_ID === undefined ? "no" : "by environment";
    },
    adapter: async () => (await import("./qwen/qwen.ts")).qwen,
  },
  /** Some agents were made from Gemini CLI and set GEMINI_PROJECT_DIR; GEMINI_SESSION_ID is its own. */
  gemini: {
    recognise: ({ hook_event_name, transcript_path }, { GEMINI_SESSION_ID }) => {
      if (typeof hook_event_name !== "string")
        return GEMINI_SESSION_ID === undefined ? "no" : "by environment";
      const isIts = typeof transcript_path === "string" && transcript_path.includes("/.gemini/");
      if (isIts || GEMINI_EVENTS.has(hook_event_name)) return "by payload";
      return GEMINI_SESSION_ID === undefined ? "no" : "by environment";
    },
    adapter: async () => (await import("./gemini/gemini.ts")).gemini,
  },
  /** It sets no variable of its own. A session that is not saved has no transcript, but most of its events name a turn. */
  codex: {
    recognise: ({ hook_event_name, transcript_path, turn_id, model, permission_mode, source }) => {
      if (typeof hook_event_name !== "string") return "no";
      if (typeof transcript_path === "string")
        return /[\\/]rollout-[^\\/]*$/.test(transcript_path) ? "by payload" : "no";
      const isStart = source !== undefined && permission_mode !== undefined;
      return transcript_path === null && model !== undefined && (turn_id !== undefined || isStart)
        ? "by payload"
        : "no";
    },
    adapter: async () => (await import("./codex/codex.ts")).codex,
  },
  /** It sets no variable of its own for hooks. */
  cline: {
    recognise: ({ hookName, taskId, workspaceRoots }) =>
      typeof hookName === "string" && typeof taskId === "string" && Array.isArray(workspaceRoots)
        ? "by payload"
        : "no",
    adapter: async () => (await import("./cline/cline.ts")).cline,
  },
  /** Its hooks also get the variable CLAUDE_PROJECT_DIR, and payloads that look like Claude Code's. */
  copilot: {
    recognise: (
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
    adapter: async () => (await import("./copilot/copilot.ts")).copilot,
  },
  /** Its transcripts are below `.claude` unless CLAUDE_CONFIG_DIR says otherwise. */
  claude: {
    recognise: ({ hook_event_name, transcript_path }, { CLAUDECODE, CLAUDE_PROJECT_DIR }) => {
      if (typeof hook_event_name !== "string") return "no";
      if (typeof transcript_path === "string" && transcript_path.includes("/.claude/")) return "by payload";
      return CLAUDECODE !== undefined || CLAUDE_PROJECT_DIR !== undefined ? "by environment" : "no";
    },
    adapter: async () => claude,
  },
};

/** @throws TenterhookError `usage_error` with the nearest name. */
export function knownAgent(name: string): AgentName {
  if (isAgentName(name)) return name;
  const unguarded = UNGUARDED_AGENTS.find((one) => one.name === name);
  if (unguarded !== undefined)
    throw new TenterhookError(
      "usage_error",
      `Tenterhook does not guard ${unguarded.title}: nobody could run it with our hooks, so nobody knows whether it obeys them.`,
      { hint: `Agents that obey: ${AGENT_NAMES.join(", ")}.` },
    );
  throw new TenterhookError(
    "usage_error",
    `There is no agent ${JSON.stringify(name)}.${didYouMean(name, AGENT_NAMES)}`,
    { hint: `Agents: ${AGENT_NAMES.join(", ")}.` },
  );
}

/** @throws TenterhookError `usage_error` with the nearest name. */
export async function adapterOf(name: string): Promise<Adapter> {
  return AGENTS[knownAgent(name)].adapter();
}

/** All adapters: for the events that only one agent has. */
export function allAdapters(): Promise<readonly Adapter[]> {
  return Promise.all(Object.values(AGENTS).map(({ adapter }) => adapter()));
}

/** The payload that an agent would send for an event of another one: for hooks that were written for it. */
export async function payloadOf(agent: string, event: AnyEvent): Promise<NativePayload> {
  return (isAgentName(agent) ? await AGENTS[agent].adapter() : USUAL_ADAPTER).payloadOf(event);
}

/** The variables that agents set for what they run. */
export async function agentVariables(): Promise<readonly string[]> {
  const guarded = (await allAdapters()).flatMap(
    ({ projectVariable = [], sessionVariable = [], otherVariables = [] }) =>
      [projectVariable, sessionVariable, otherVariables].flat(),
  );
  return [...guarded, ...UNGUARDED_AGENTS.flatMap(({ variables }) => variables)];
}

/** The adapter of the first agent whose payload it is; else of the first whose environment it is. */
export async function adapterFor(payload: NativePayload, environment: Environment): Promise<Adapter> {
  let likely: KnownAgent | undefined;
  for (const agent of Object.values(AGENTS)) {
    const recognised = agent.recognise(payload, environment);
    if (recognised === "by payload") return agent.adapter();
    if (recognised === "by environment") likely ??= agent;
  }
  return likely?.adapter() ?? USUAL_ADAPTER;
}
