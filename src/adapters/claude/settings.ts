import {
  type AgentSettings,
  HOOK_COMMAND,
  type HookInForce,
  type HttpCall,
  wakeCommand,
} from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { lineOf } from "../settings/json-edit.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { TOOL_EVENTS } from "./events.ts";
import { wrongSetting } from "./settings-validity.ts";
import { claudeTable } from "./table.ts";

/** The tools with which it waits for a human, as a matcher. */
export const PROMPT_TOOLS = "ExitPlanMode|AskUserQuestion|EnterPlanMode";

const CLAUDE_TOOLS: ToolNaming = {
  names: { Bash: ["Bash", "PowerShell"], Edit: ["Edit", "MultiEdit"], Task: ["Agent", "Task"] },
  changeNothing: [
    "AskUserQuestion",
    "BashOutput",
    "EnterPlanMode",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "LS",
    "ListMcpResourcesTool",
    "NotebookRead",
    "Read",
    "ReadMcpResourceTool",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
  ],
  lists: true,
  lookahead: true,
  mcpNames: true,
};

/** A hook in the background that wakes the model when it ends with exit code 2. */
const REWAKES = {
  asyncRewake: true,
  timeout: 86_400,
  rewakeMessage: "A message from the monitor of your user:",
  rewakeSummary: "Message from the monitor",
} as const;

const strict = readsStrictJson("Claude Code reads strict JSON only, and");

/** The `hooks` section of Claude Code's settings.json. */
export const claudeSettings: AgentSettings = hookLists({
  table: claudeTable,
  shape: "groups",
  usualSeconds: 600,
  tools: CLAUDE_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([
    ["PreToolUse", { matcher: PROMPT_TOOLS }],
    // The answer was given.
    ["PostToolUse", { matcher: PROMPT_TOOLS }],
    ["PermissionRequest", {}],
    ["Notification", {}],
  ]),
  matcherFor: (native, wanting) => (native === "FileChanged" ? fileMatcher(wanting) : undefined),
  handlerFor: ({ timeout, gate, command = HOOK_COMMAND, http }) => ({
    ...(http === undefined ? { type: "command", command } : httpHandler(http, timeout)),
    timeout,
    ...(gate ? { onFailure: "block" } : {}),
  }),
  wakes: new Set(["Stop", "StopFailure"]),
  wakerFor: ({ command = HOOK_COMMAND }) => {
    const waits = wakeCommand(command);
    return waits === undefined ? undefined : { type: "command", command: waits, ...REWAKES };
  },
  keepsMatcher: (native) => native === "FileChanged",
  unread(text) {
    const lax = strict.unread(text);
    if (lax !== undefined || text === undefined || text.trim() === "") return lax;
    const wrong = wrongSetting(JSON.parse(text.replace(/^\uFEFF/, "")));
    if (wrong === undefined) return undefined;
    const { path, must_be } = wrong;
    const place = `line ${lineOf(text, path)} has one: ${path.join(".")} must be ${must_be}`;
    return {
      why: `Claude Code ignores a file with an invalid setting, and ${place}`,
      strippable: false,
    };
  },
  readable: strict.readable,
});

/**
 * What the daemon can't know is in the headers: Claude Code replaces a variable by its value, or by nothing, and leaves
 * out what a header can't contain. It has no CLAUDE_PROJECT_DIR here.
 */
function httpHandler({ url, token }: HttpCall, timeout: number) {
  return {
    type: "http",
    url,
    headers: {
      Authorization: `Bearer ${token}`,
      "Tenterhook-Timeout": String(timeout),
      "Tenterhook-Agent": "$TENTERHOOK_AGENT_ID",
      "Tenterhook-Folder": "$PWD",
    },
    allowedEnvVars: ["TENTERHOOK_AGENT_ID", "PWD"],
  };
}

/** The names of the files that Claude Code has to watch, wherever they are; `undefined` when hooks do not name them. */
function fileMatcher(hooks: readonly Pick<HookInForce, "files">[]): string | undefined {
  const names = hooks.flatMap(({ files = [] }) => files).filter((name) => /^[^/*?[\]{}\\|]+$/.test(name));
  return names.length === 0 ? undefined : [...new Set(names)].sort().join("|");
}
