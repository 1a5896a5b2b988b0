import { join } from "node:path";
import type { Integration } from "../integration.ts";
import { type AgentSettings, closedCommand, HOOK_COMMAND } from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { crush, crushTable } from "./crush.ts";

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
};

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

export const crushIntegration: Integration = {
  adapter: crush,
  table: crushTable,
  program: "crush",
  since: {
    version: "0.67.0",
    older: "has no hooks, or runs them in another way. Update it.",
  },
  shellCall: (command, cwd) => ({
    event: "PreToolUse",
    session_id: "explain",
    cwd,
    tool_name: "bash",
    tool_input: { command },
  }),
  settings: crushSettings,
  scopes: ["project", "user"],
  settingsFile: (scope, { root, home, environment }) => {
    if (scope !== "user") return join(root, "crush.json");
    const { CRUSH_GLOBAL_CONFIG, XDG_CONFIG_HOME = join(home, ".config") } = environment;
    return join(CRUSH_GLOBAL_CONFIG ?? join(XDG_CONFIG_HOME, "crush"), "crush.json");
  },
  startsInRoot: "unless git",
  warnings: [
    "Crush was never run with these hooks: all of this follows its documentation and source. Try a refusal before you rely on it.",
    "Crush asks no hooks about the calls of its subagents, only about the call that starts one (agent, agentic_fetch).",
    "Crush runs a tool when a hook takes longer than the time in its settings. Our own timeouts end before.",
    "Crush calls a tool of an MCP server mcp_server_tool. Hooks get mcp__server__tool, split at the first underscore: a hook that names a server with an underscore is not asked.",
    "Crush reads hooks when it starts: restart it after install and uninstall.",
  ],
};
