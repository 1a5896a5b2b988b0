import { type AgentSettings, closedCommand, HOOK_COMMAND } from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { TOOL_EVENTS } from "./events.ts";
import { geminiTable } from "./table.ts";

/** The tools with which it waits for a human, as a matcher. */
const PROMPT_TOOLS = "ask_user|enter_plan_mode|exit_plan_mode";

const GEMINI_TOOLS: ToolNaming = {
  names: {
    Bash: ["run_shell_command"],
    Read: ["read_file", "read_many_files"],
    Write: ["write_file"],
    Edit: ["replace"],
    LS: ["list_directory"],
    Glob: ["glob"],
    Grep: ["grep_search", "search_file_content"],
    WebFetch: ["web_fetch"],
    WebSearch: ["google_web_search"],
    Task: ["invoke_agent", "delegate_to_agent"],
    TodoWrite: ["write_todos"],
    AskUserQuestion: ["ask_user"],
    EnterPlanMode: ["enter_plan_mode"],
    ExitPlanMode: ["exit_plan_mode"],
  },
  changeNothing: [
    "ask_user",
    "enter_plan_mode",
    "exit_plan_mode",
    "glob",
    "google_web_search",
    "grep_search",
    "list_background_processes",
    "list_directory",
    "read_background_output",
    "read_file",
    "read_many_files",
    "search_file_content",
    "update_topic",
    "web_fetch",
    "write_todos",
  ],
  lists: false,
  lookahead: true,
  mcpNames: false,
};

/** The `hooks` section of Gemini CLI's settings.json. */
export const geminiSettings: AgentSettings = hookLists({
  table: geminiTable,
  shape: "groups",
  usualSeconds: 60,
  tools: GEMINI_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([
    ["BeforeTool", { matcher: PROMPT_TOOLS }],
    ["Notification", {}],
  ]),
  // It has no switch that makes a failure refuse, and lets a call pass when a hook is killed or ends with 1.
  handlerFor: ({ timeout, gate, command = HOOK_COMMAND }) => ({
    type: "command",
    command: gate ? closedCommand(command) : command,
    timeout: timeout * 1000,
  }),
  secondsOf: ({ timeout }) => (typeof timeout === "number" ? timeout / 1000 : undefined),
  ...readsStrictJson("Gemini CLI does not start with such settings:", { comments: true }),
});
