import { join } from "node:path";
import type { Bridge } from "../bridge.ts";
import { valueAt } from "../settings/json-edit.ts";
import { antigravity } from "./antigravity.ts";
import { antigravitySettings } from "./settings.ts";
import { antigravityTable } from "./table.ts";

export const antigravityBridge: Bridge = {
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
