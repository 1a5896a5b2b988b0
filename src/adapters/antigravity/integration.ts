import { join } from "node:path";
import type { Integration } from "../integration.ts";
import { type AgentSettings, HOOK_COMMAND } from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { valueAt } from "../settings/json-edit.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { antigravity, antigravityTable } from "./antigravity.ts";

/** The tool with which it waits for a human, as a matcher. */
const PROMPT_TOOL = "ask_question";

const ANTIGRAVITY_TOOLS: ToolNaming = {
  names: {
    Bash: ["run_command"],
    Read: ["view_file"],
    Write: ["write_to_file"],
    Edit: ["replace_file_content", "multi_replace_file_content"],
    LS: ["list_dir"],
    Glob: ["find_by_name"],
    Grep: ["grep_search"],
    WebFetch: ["read_url_content"],
    WebSearch: ["search_web"],
    Task: ["invoke_subagent"],
    AskUserQuestion: [PROMPT_TOOL],
  },
};

const TOOL_EVENTS: ReadonlySet<string> = new Set(["PreToolUse"]);

/** Our hooks in Antigravity's hooks.json, which has sets of hooks by name. */
export const antigravitySettings: AgentSettings = hookLists({
  table: antigravityTable,
  section: ["tenterhook"],
  shape: (native) => (TOOL_EVENTS.has(native) ? "groups" : "flat"),
  usualSeconds: 60,
  tools: ANTIGRAVITY_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([["PreToolUse", { matcher: PROMPT_TOOL }]]),
  // A call is refused when a hook fails, so that there is nothing to close.
  handlerFor: ({ timeout, command = HOOK_COMMAND }) => ({ type: "command", command, timeout }),
  ...readsStrictJson("Antigravity CLI drops all hooks of such a file without a word:"),
});

export const antigravityIntegration: Integration = {
  adapter: antigravity,
  table: antigravityTable,
  program: "agy",
  since: {
    version: "1.2.3",
    older: "may refuse every call about which hooks say nothing. Update it.",
  },
  shellCall: (command, cwd) => ({
    conversationId: "explain",
    workspacePaths: [cwd],
    stepIdx: 0,
    toolCall: { name: "run_command", args: { CommandLine: command, Cwd: cwd } },
  }),
  settings: antigravitySettings,
  // Not every version is reported to read the file of a project.
  scopes: ["user", "project"],
  settingsFile: (scope, { root, home }) =>
    scope === "user" ? join(home, ".gemini", "config", "hooks.json") : join(root, ".agents", "hooks.json"),
  startsInRoot: true,
  warnings: [
    "Antigravity CLI was never run with these hooks: all of this follows its documentation. Try a refusal before you rely on it.",
    "Antigravity CLI does not say whether a payload comes before or after a call: hooks on PostToolUse are not asked.",
    "Some versions of Antigravity CLI are reported not to read .agents/hooks.json of a project. The user's file is the safe one.",
    "Of a workspace with several folders, only the configuration of the first decides.",
    "Hooks on Bash are not asked about send_command_input, with which Antigravity CLI types into a running program. Name it, too.",
    "What Antigravity CLI does when a hook takes longer than the time in its settings is not documented. Our own timeouts end before.",
  ],
  switchedOff: (text) =>
    valueAt(text, ["tenterhook", "enabled"]) === false ? "tenterhook.enabled is false there" : undefined,
};
