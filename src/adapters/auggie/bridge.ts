import { join } from "node:path";
import type { Bridge } from "../bridge.ts";
import { PROJECT_PROGRAM } from "../settings/agent-settings.ts";
import { auggie } from "./auggie.ts";
import { auggieSettings } from "./settings.ts";
import { auggieTable } from "./table.ts";

export const auggieBridge: Bridge = {
  adapter: auggie,
  table: auggieTable,
  program: "auggie",
  since: {
    version: "0.36.0",
    older: "is older than the version with which all of this was tried. Update it.",
  },
  shellCall: (command, cwd) => ({
    hook_event_name: "PreToolUse",
    conversation_id: "explain",
    workspace_roots: [cwd],
    tool_name: "launch-process",
    tool_input: { command, wait: true, cwd },
    is_mcp_tool: false,
  }),
  settings: auggieSettings,
  scopes: ["project", "user", "local"],
  settingsFile: (scope, { root, home }) =>
    join(
      scope === "user" ? home : root,
      ".augment",
      scope === "local" ? "settings.local.json" : "settings.json",
    ),
  projectCommand: `"$AUGMENT_PROJECT_DIR"/${PROJECT_PROGRAM} hook`,
  startsInRoot: "unless git",
  warnings: [
    "Auggie runs hooks only if Augment's server has enabled them for your account (enable_hooks). Otherwise it runs none, without a word: type /hooks in Auggie, which has this command only when they run.",
    "Auggie runs a tool when a hook takes longer than the time in its settings. Our own timeouts end before.",
    "Auggie calls a tool of an MCP server tool_server. Hooks get mcp__server__tool, split at the last underscore: a hook that names a server with an underscore is not asked.",
    "Auggie takes the last rewrite when several hooks rewrite a call, and asks nobody about it. Move other hooks to Tenterhook.",
    "Auggie reads hooks when it starts: restart it after install and uninstall.",
  ],
  switchedOff: () => undefined,
};
