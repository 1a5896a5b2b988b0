import { join } from "node:path";
import type { Bridge } from "../bridge.ts";
import { PROJECT_PROGRAM } from "../settings/agent-settings.ts";
import { windsurfSettings } from "./settings.ts";
import { windsurfTable } from "./table.ts";
import { windsurf } from "./windsurf.ts";

export const windsurfBridge: Bridge = {
  adapter: windsurf,
  table: windsurfTable,
  program: "windsurf",
  since: {
    version: "1.12.41",
    older: "has no hooks. Update it.",
  },
  shellCall: (command, cwd) => ({
    agent_action_name: "pre_run_command",
    trajectory_id: "explain",
    tool_info: { command_line: command, cwd },
  }),
  settings: windsurfSettings,
  scopes: ["project", "user"],
  settingsFile: (scope, { root, home }) =>
    scope === "user"
      ? join(home, ".codeium", "windsurf", "hooks.json")
      : join(root, ".windsurf", "hooks.json"),
  // It starts hooks in the folder of the workspace.
  projectCommand: `./${PROJECT_PROGRAM} hook`,
  startsInRoot: true,
  warnings: [
    "Windsurf was never run with these hooks: all of this follows its documentation. Try a refusal before you rely on it.",
    "Windsurf asks hooks only before it reads or changes a file, runs a command, calls a tool of an MCP server or takes a prompt. Its other tools (search, the web, the browser) are not judged.",
    "Windsurf's documentation does not say how long it waits for a hook, nor what it does then.",
    "Windsurf has one event for new and changed files: name both Edit and Write in hooks that guard files.",
  ],
  switchedOff: () => undefined,
};
