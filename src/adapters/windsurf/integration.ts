import { join } from "node:path";
import { toolTest } from "../../core/match/tool-names.ts";
import { linearRegex } from "../../node/regex.ts";
import type { Integration } from "../integration.ts";
import {
  type AgentSettings,
  HOOK_COMMAND,
  type HookInForce,
  keepsExitCode,
  PROJECT_PROGRAM,
} from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import { windsurf, windsurfTable } from "./windsurf.ts";

/** The tools that each event is about: it has no matchers. */
const TOOLS: ReadonlyMap<string, readonly string[]> = new Map([
  ["read_code", ["Read"]],
  ["write_code", ["Edit", "Write"]],
  ["run_command", ["Bash"]],
]);

export const windsurfSettings: AgentSettings = hookLists({
  table: windsurfTable,
  shape: "flat",
  // Its documentation names no limit, and an entry has none.
  usualSeconds: 60,
  toolEvents: new Set(),
  prompts: new Map(),
  isNeeded: (native, wanting) => wanting.some((hook) => wants(hook, native.replace(/^(?:pre|post)_/, ""))),
  // It goes on when a hook fails and has no switch for that.
  handlerFor: ({ gate, command = HOOK_COMMAND }) => ({
    command: gate ? keepsExitCode(command) : command,
    show_output: true,
  }),
  secondsOf: () => undefined,
  ...readsStrictJson("Windsurf's documentation knows strict JSON only, and"),
});

/** Where it is not certain that a hook wants no tool of an event, it is asked. */
function wants({ tools, only_changes }: HookInForce, action: string): boolean {
  if (tools === undefined) return action !== "read_code" || only_changes !== true;
  if (action === "mcp_tool_use") return tools.some((name) => /^\/|\*|mcp__/.test(name));
  const names = TOOLS.get(action);
  return names?.some(toolTest(tools, "tools", { regex: linearRegex })) ?? true;
}

export const windsurfIntegration: Integration = {
  adapter: windsurf,
  table: windsurfTable,
  program: "windsurf",
  isEditor: true,
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
};
