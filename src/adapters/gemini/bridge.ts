import { join } from "node:path";
import { isRecord } from "../../core/base/json.ts";
import type { Bridge } from "../bridge.ts";
import { isHookCommand, PROJECT_PROGRAM } from "../settings/agent-settings.ts";
import { valueAt } from "../settings/json-edit.ts";
import { gemini } from "./gemini.ts";
import { geminiCompared } from "./import/compared.ts";
import { importGemini } from "./import/import.ts";
import { geminiSettings } from "./settings.ts";
import { geminiTable } from "./table.ts";

export const geminiBridge: Bridge = {
  adapter: gemini,
  table: geminiTable,
  program: "gemini",
  resume: (session) => ["--resume", session],
  since: {
    version: "0.61.0",
    older: "is older than every version that was tried with these hooks. Update it.",
  },
  shellCall: (command, cwd) => ({
    session_id: "explain",
    cwd,
    hook_event_name: "BeforeTool",
    tool_name: "run_shell_command",
    tool_input: { command },
  }),
  settings: geminiSettings,
  scopes: ["project", "user"],
  settingsFile: (scope, { root, home, environment }) => {
    const user = environment.GEMINI_CLI_HOME ?? home;
    return join(scope === "user" ? user : root, ".gemini", "settings.json");
  },
  // It puts the folder there itself, quoted for the shell.
  projectCommand: `$GEMINI_PROJECT_DIR/${PROJECT_PROGRAM} hook`,
  startsInRoot: true,
  warnings: [
    "Gemini CLI forgets the replies of all hooks of an event, ours too, when the reply of one has something else than an object in hookSpecificOutput. Move other hooks to Tenterhook.",
    "In a folder that Gemini CLI does not trust it runs no hooks, not even the user's.",
  ],
  switchedOff: (text) => {
    const config = valueAt(text, ["hooksConfig"]);
    if (!isRecord(config)) return undefined;
    if (config.enabled === false) return "hooksConfig.enabled is false there";
    const disabled: readonly unknown[] = Array.isArray(config.disabled) ? config.disabled : [];
    return disabled.some(isHookCommand) ? "hooksConfig.disabled has our command there" : undefined;
  },
  importing: { importHooks: importGemini, compared: geminiCompared },
};
