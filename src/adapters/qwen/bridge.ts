import { join } from "node:path";
import type { Bridge } from "../bridge.ts";
import { PROJECT_PROGRAM } from "../settings/agent-settings.ts";
import { valueAt } from "../settings/json-edit.ts";
import { qwenCompared } from "./import/compared.ts";
import { importQwen } from "./import/import.ts";
import { qwen } from "./qwen.ts";
import { qwenSettings } from "./settings.ts";
import { qwenTable } from "./table.ts";

export const qwenBridge: Bridge = {
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
    "Qwen Code forgets the replies of all hooks of an event, ours too, when the reply of one has something else than an object in hookSpecificOutput. Move other hooks to Tenterhook.",
  ],
  switchedOff: (text) =>
    valueAt(text, ["disableAllHooks"]) === true ? "disableAllHooks is true there" : undefined,
  switches: { variables: ["QWEN_CODE_SAFE_MODE", "QWEN_CODE_SIMPLE"] },
  importing: { importHooks: importQwen, compared: qwenCompared },
};
