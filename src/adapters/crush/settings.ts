import { type AgentSettings, closedCommand, HOOK_COMMAND } from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { crushTable } from "./table.ts";

const CRUSH_TOOLS: ToolNaming = {
  names: {
    Bash: ["bash"],
    Read: ["view"],
    Write: ["write"],
    Edit: ["edit", "multiedit"],
    LS: ["ls"],
    Glob: ["glob"],
    Grep: ["grep"],
    WebFetch: ["fetch", "web_fetch"],
    WebSearch: ["web_search"],
    Task: ["agent"],
  },
  changeNothing: [],
  lists: false,
  lookahead: false,
  mcpNames: false,
};

/** The `hooks` section of crush.json. */
export const crushSettings: AgentSettings = hookLists({
  table: crushTable,
  shape: "flat",
  usualSeconds: 30,
  tools: CRUSH_TOOLS,
  toolEvents: new Set(["PreToolUse"]),
  prompts: new Map(),
  // It goes on when a hook fails and has no switch for that.
  handlerFor: ({ timeout, gate, command = HOOK_COMMAND }) => ({
    command: gate ? closedCommand(command) : command,
    timeout,
  }),
  ...readsStrictJson("Crush does not start with such settings:"),
});
