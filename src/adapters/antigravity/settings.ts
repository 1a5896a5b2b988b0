import { type AgentSettings, HOOK_COMMAND } from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { antigravityTable } from "./table.ts";

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
  changeNothing: [],
  lists: false,
  lookahead: false,
  mcpNames: false,
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
