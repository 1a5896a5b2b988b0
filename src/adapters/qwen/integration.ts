import { join } from "node:path";
import type { Integration } from "../integration.ts";
import type { AgentSettings } from "../settings/agent-settings.ts";
import { hookCommand, PROJECT_PROGRAM } from "../settings/hook-command.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { valueAt } from "../settings/json-edit.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { importQwen, isMatched } from "./import.ts";
import { qwen, qwenTable, TOOL_EVENTS } from "./qwen.ts";

/** The tools with which it waits for a human, as a matcher. */
const PROMPT_TOOLS = "ask_user_question|enter_plan_mode|exit_plan_mode";

const QWEN_TOOLS: ToolNaming = {
  names: qwenTable.tools,
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
  mcpNames: true,
};

/** From here on it takes a timeout for milliseconds, below for seconds. */
const FIRST_MILLISECONDS = 1000;

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
  handlerFor: (event) => ({
    type: "command",
    command: hookCommand(event, "goes on"),
    timeout: event.timeout * 1000,
  }),
  secondsOf: ({ timeout }) => {
    if (typeof timeout !== "number") return undefined;
    return timeout < FIRST_MILLISECONDS ? timeout : timeout / 1000;
  },
  ...readsStrictJson("Qwen Code ignores such settings without a word:", { comments: true }),
});

export const qwenIntegration: Integration = {
  adapter: qwen,
  table: qwenTable,
  program: "qwen",
  since: {
    version: "0.24.4",
    older: "is older than every version that was tried with these hooks. Update it.",
  },
  shellCall: (command, cwd) => ({
    session_id: "explain",
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: "run_shell_command",
    tool_input: { command },
  }),
  settings: qwenSettings,
  scopes: ["project", "user"],
  settingsFile: (scope, { root, home }) => join(scope === "user" ? home : root, ".qwen", "settings.json"),
  projectCommand: `"$QWEN_PROJECT_DIR"/${PROJECT_PROGRAM} hook`,
  startsInRoot: true,
  warnings: [
    "Qwen Code runs without any hook when it is started with --safe-mode or --bare.",
    "If another Qwen hook replies badly, Qwen ignores ours too. Move it here: tenterhook import qwen",
  ],
  switchedOff: (text) =>
    valueAt(text, ["disableAllHooks"]) === true ? "disableAllHooks is true there" : undefined,
  switches: { variables: ["QWEN_CODE_SAFE_MODE", "QWEN_CODE_SIMPLE"] },
  importing: {
    importHooks: importQwen,
    compared: {
      runs: isMatched,
      variables: (root) => ({ QWEN_PROJECT_DIR: root, GEMINI_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root }),
    },
  },
  notes: [
    "It reads comments, but ignores a file with a comma before a closing bracket, without a word. `install` refuses such a file, and `check` reports it.",
    "Rewrites before a call are ignored, although its documentation has them. `install` refuses hooks that rewrite on `PreToolUse`; with `degrade: { rewrite: deny }` the call is refused instead. On `PermissionRequest` they work.",
    "An `ask` refuses where nobody can be asked.",
    "Context before a call does not reach the model.",
    "Nothing but a refused prompt ends a run: a hook that ends it refuses the call instead.",
    "It also reports every request with results of tools as a prompt; your hooks do not see those.",
    "Of several hooks the last `permissionDecision` counts there, so that another hook's allow would cancel a refusal. Ours also says `continue: false`, which nothing cancels.",
    "Stop hooks end at your limits, and after eight times at its own.",
    "`disableAllHooks: true` in any settings switches all hooks off.",
    "`import` leaves hooks of the type `prompt` there, and those on `UserPromptExpansion`, `TodoCreated` and `TodoCompleted`.",
  ],
};
