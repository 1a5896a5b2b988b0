import { type AgentSettings, HOOK_COMMAND } from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { TOOL_EVENTS } from "./events.ts";
import { copilotTable } from "./table.ts";

/** A matcher is compared with both names of a tool: Copilot's own, and the one of payloads. */
const COPILOT_TOOLS: ToolNaming = {
  names: {
    Bash: ["Bash", "bash", "powershell"],
    Read: ["Read", "view"],
    Write: ["Write", "create"],
    Edit: ["Edit", "edit"],
    Grep: ["Grep", "grep"],
    Glob: ["Glob", "glob"],
    Task: ["Agent", "Task", "task"],
    ApplyPatch: ["ApplyPatch", "apply_patch"],
    WebFetch: ["WebFetch", "web_fetch"],
    WebSearch: ["WebSearch", "web_search"],
    AskUserQuestion: ["AskUserQuestion", "ask_user"],
    ExitPlanMode: ["ExitPlanMode", "exit_plan_mode"],
  },
  changeNothing: [],
  lists: true,
  lookahead: false,
  mcpNames: false,
};

/** A hooks file of GitHub Copilot CLI. */
export const copilotSettings: AgentSettings = hookLists({
  table: copilotTable,
  shape: "flat",
  heading: { version: 1 },
  usualSeconds: 30,
  tools: COPILOT_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([
    ["PreToolUse", { matcher: "AskUserQuestion|ExitPlanMode|ask_user|exit_plan_mode" }],
    ["PermissionRequest", {}],
    ["Notification", {}],
  ]),
  handlerFor: ({ timeout, command = HOOK_COMMAND }) => ({ type: "command", command, timeoutSec: timeout }),
  secondsOf: ({ timeoutSec }) => (typeof timeoutSec === "number" ? timeoutSec : undefined),
  ...readsStrictJson("GitHub Copilot CLI reads strict JSON only, and"),
});
