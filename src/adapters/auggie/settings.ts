import { type AgentSettings, HOOK_COMMAND, keepsExitCode } from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { TOOL_EVENTS } from "./events.ts";
import { whyUnread } from "./settings-validity.ts";
import { auggieTable } from "./table.ts";

/** The tools with which it waits for a human. */
const PROMPT_TOOLS = "^(?:ask-user|enter-plan-mode|exit-plan-mode)$";

/** An expression never matches a tool of an MCP server, so that "all but" would leave these out. */
const AUGGIE_TOOLS: ToolNaming = {
  names: {
    Bash: ["bash", "launch-process", "write-process"],
    Read: ["read", "view"],
    Write: ["save-file", "write"],
    Edit: ["edit", "str-replace-editor"],
    Delete: ["remove-files"],
    ApplyPatch: ["apply_patch"],
    LS: ["ls"],
    Glob: ["find"],
    Grep: ["grep", "grep-search"],
    WebFetch: ["web-fetch"],
    WebSearch: ["web-search"],
    Task: ["sub-agent.*"],
    AskUserQuestion: ["ask-user"],
    EnterPlanMode: ["enter-plan-mode"],
    ExitPlanMode: ["exit-plan-mode"],
  },
  changeNothing: [],
  lists: false,
  lookahead: false,
  mcpNames: false,
};

/** The `hooks` section of Auggie's settings.json. */
export const auggieSettings: AgentSettings = hookLists({
  table: auggieTable,
  shape: "groups",
  usualSeconds: 60,
  tools: AUGGIE_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([["PreToolUse", { matcher: PROMPT_TOOLS }]]),
  // A failure lets a call pass, and no switch changes that.
  handlerFor: ({ timeout, gate, command = HOOK_COMMAND }) => ({
    type: "command",
    command: gate ? keepsExitCode(command) : command,
    timeout: timeout * 1000,
  }),
  secondsOf: ({ timeout }) => (typeof timeout === "number" ? timeout / 1000 : undefined),
  unread(text) {
    const why = whyUnread(text);
    return why === undefined ? undefined : { why, strippable: false };
  },
  readable: (text) => text,
});
