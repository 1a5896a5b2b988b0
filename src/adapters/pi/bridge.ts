import { join } from "node:path";
import type { Bridge } from "../bridge.ts";
import { pluginFile } from "../plugins/plugin-file.ts";
import { PROJECT_PROGRAM } from "../settings/agent-settings.ts";
import { pi } from "./pi.ts";
import { piTable } from "./table.ts";

/** pi for the command line. */
export const piBridge: Bridge = {
  adapter: pi,
  table: piTable,
  program: "pi",
  since: { version: "0.73.1", older: "was not tried with Tenterhook." },
  shellCall: (command, cwd) => ({
    plugin: "pi",
    hook_event_name: "tool_call",
    session_id: "explain",
    cwd,
    tool_name: "bash",
    tool_input: { command },
  }),
  settings: pluginFile(
    {
      table: piTable,
      usualSeconds: 60,
      tools: {
        names: {
          Bash: ["bash"],
          Read: ["read"],
          Write: ["write"],
          Edit: ["edit"],
          LS: ["ls"],
          Glob: ["find"],
          Grep: ["grep"],
        },
        changeNothing: ["read", "ls", "find", "grep"],
        lists: false,
        lookahead: true,
        mcpNames: true,
      },
      toolEvents: new Set(["tool_call", "tool_result", "tool_result.error"]),
      prompts: new Map(),
    },
    "pi",
  ),
  // It loads a project's extensions only once the user has trusted the project, and skips them without a word headless.
  scopes: ["user", "project"],
  settingsFile: (scope, { root, home, environment }) => {
    const users = environment.PI_CODING_AGENT_DIR ?? join(home, ".pi", "agent");
    return join(scope === "user" ? users : join(root, ".pi"), "extensions", "tenterhook.js");
  },
  projectCommand: `../../${PROJECT_PROGRAM} hook`,
  startsInRoot: false,
  warnings: ["pi runs without any hook when it is started with --no-extensions."],
  switchedOff: () => undefined,
};
