import { type AgentSettings, closedCommand, HOOK_COMMAND } from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { TOOL_EVENTS } from "./events.ts";
import { qwenTable } from "./table.ts";

/** The tools with which it waits for a human, as a matcher. */
const PROMPT_TOOLS = "ask_user_question|enter_plan_mode|exit_plan_mode";

const QWEN_TOOLS: ToolNaming = {
  names: {
    Bash: ["run_shell_command"],
    Read: ["read_file", "read_many_files"],
    Write: ["write_file"],
    Edit: ["edit"],
    NotebookEdit: ["notebook_edit"],
    LS: ["list_directory"],
    Glob: ["glob"],
    Grep: ["grep_search", "search_file_content"],
    WebFetch: ["web_fetch"],
    WebSearch: ["web_search"],
    Task: ["agent", "task"],
    TodoWrite: ["todo_write"],
    AskUserQuestion: ["ask_user_question"],
    EnterPlanMode: ["enter_plan_mode"],
    ExitPlanMode: ["exit_plan_mode"],
  },
  changeNothing: [
    "ask_user_question",
    "enter_plan_mode",
    "exit_plan_mode",
    "glob",
    "grep_search",
    "list_directory",
    "read_file",
    "read_many_files",
    "search_file_content",
    "todo_write",
    "web_fetch",
    "web_search",
  ],
  lists: true,
  lookahead: true,
  mcpNames: true,
};

/** From here on it takes a timeout for milliseconds, below for seconds. */
const FIRST_MILLISECONDS = 1000;

/** The `hooks` section of Qwen Code's settings.json. */
export const qwenSettings: AgentSettings = hookLists({
  table: qwenTable,
  shape: "groups",
  usualSeconds: 60,
  tools: QWEN_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([
    ["PreToolUse", { matcher: PROMPT_TOOLS }],
    ["PermissionRequest", {}],
    ["Notification", {}],
  ]),
  // A failure, or exit code 2 without a text, lets a call pass, and no switch changes that.
  handlerFor: ({ timeout, gate, command = HOOK_COMMAND }) => ({
    type: "command",
    command: gate ? closedCommand(command) : command,
    timeout: timeout * 1000,
  }),
  secondsOf: ({ timeout }) => {
    if (typeof timeout !== "number") return undefined;
    return timeout < FIRST_MILLISECONDS ? timeout : timeout / 1000;
  },
  ...readsStrictJson("Qwen Code ignores such settings without a word:", { comments: true }),
});
