import { dirname, join } from "node:path";
import { isRecord } from "../../core/base/json.ts";
import { PLACES } from "../../node/places.ts";
import type { Integration, SettingsPlaces } from "../integration.ts";
import { pathsIn } from "../lifts.ts";
import type { AgentSettings } from "../settings/agent-settings.ts";
import { hookCommand, isHookCommand, PROJECT_PROGRAM } from "../settings/hook-command.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { valueAt } from "../settings/json-edit.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { recordedAt, untrustedFolder } from "../settings/trusted-folders.ts";
import { gemini, geminiTable, TOOL_EVENTS } from "./gemini.ts";
import { importGemini, isMatched } from "./import.ts";

/** The tools with which it waits for a human, as a matcher. */
const PROMPT_TOOLS = "ask_user|enter_plan_mode|exit_plan_mode";

const GEMINI_TOOLS: ToolNaming = {
  names: geminiTable.tools,
  changeNothing: [
    "ask_user",
    "enter_plan_mode",
    "exit_plan_mode",
    "glob",
    "google_web_search",
    "grep_search",
    "list_background_processes",
    "list_directory",
    "read_background_output",
    "read_file",
    "read_many_files",
    "search_file_content",
    "update_topic",
    "web_fetch",
    "write_todos",
  ],
};

export const geminiSettings: AgentSettings = hookLists({
  table: geminiTable,
  shape: "groups",
  usualSeconds: 60,
  tools: GEMINI_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([
    ["BeforeTool", { matcher: PROMPT_TOOLS }],
    ["Notification", {}],
  ]),
  // It has no switch that makes a failure refuse, and lets a call pass when a hook is killed or ends with 1.
  handlerFor: (event) => ({
    type: "command",
    command: hookCommand(event, "goes on"),
    timeout: event.timeout * 1000,
  }),
  secondsOf: ({ timeout }) => (typeof timeout === "number" ? timeout / 1000 : undefined),
  ...readsStrictJson("Gemini CLI does not start with such settings:", { comments: true }),
});

function extensions({ home, environment }: SettingsPlaces): string {
  return join(environment.GEMINI_CLI_HOME ?? home, ".gemini", "extensions");
}

export const geminiIntegration: Integration = {
  adapter: gemini,
  table: geminiTable,
  program: "gemini",
  homeVariable: "GEMINI_CLI_HOME",
  resume: (session, carried) => ["--resume", session, ...carried],
  begin: (carried) => carried,
  carried: {
    values: ["-m", "--model", "--approval-mode", "--include-directories", "--extensions", "-e"],
    flags: ["-y", "--yolo", "-s", "--sandbox"],
  },
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
  managed: { file: PLACES.managedGemini },
  // It puts the folder there itself, quoted for the shell.
  projectCommand: `$GEMINI_PROJECT_DIR/${PROJECT_PROGRAM} hook`,
  startsInRoot: true,
  startsNone: ({ root, home, environment }) => {
    const folder = join(environment.GEMINI_CLI_HOME ?? home, ".gemini");
    const system = environment.GEMINI_CLI_SYSTEM_SETTINGS_PATH ?? PLACES.managedGemini;
    const defaults =
      environment.GEMINI_CLI_SYSTEM_DEFAULTS_PATH ?? join(dirname(system), "system-defaults.json");
    const asks = [system, join(folder, "settings.json"), defaults].map((file) =>
      recordedAt(file, ["security", "folderTrust", "enabled"]),
    );
    // The first that says something counts.
    const isAsked = asks.find((one) => typeof one === "boolean") !== false;
    const record = recordedAt(join(folder, "trustedFolders.json"), []);
    const folders = Object.entries(isRecord(record) ? record : {}).map(([path, trust]): [string, boolean] =>
      trust === "TRUST_PARENT" ? [dirname(path), true] : [path, trust === "TRUST_FOLDER"],
    );
    return isAsked ? untrustedFolder(root, folders) : undefined;
  },
  warnings: [
    "If another Gemini hook replies badly, Gemini ignores ours too. Move it here: tenterhook import gemini",
    "In a folder that Gemini CLI does not trust it runs no hooks, not even the user's.",
  ],
  switchedOff: (text) => {
    const config = valueAt(text, ["hooksConfig"]);
    if (!isRecord(config)) return undefined;
    if (config.enabled === false) return "hooksConfig.enabled is false there";
    const disabled: readonly unknown[] = Array.isArray(config.disabled) ? config.disabled : [];
    return disabled.some(isHookCommand) ? "hooksConfig.disabled has our command there" : undefined;
  },
  // Those of its extensions.
  hookFiles: (places) => pathsIn(extensions(places)).map((folder) => join(folder, "hooks", "hooks.json")),
  pluginSources: (places) => ({ paths: [extensions(places)] }),
  importing: {
    importHooks: importGemini,
    compared: {
      runs: isMatched,
      variables: (root) => ({ GEMINI_PROJECT_DIR: root, GEMINI_CWD: root, CLAUDE_PROJECT_DIR: root }),
    },
  },
  notes: [
    "An `ask` refuses: Gemini CLI can ask, but does not say whether anybody is there, and without a terminal it would end the run without a word.",
    "An `allow` changes nothing: its own permissions decide.",
    "Context before a call has no place there. Add it on `PostToolUse`.",
    "A rewritten result reaches the model as an error of the tool with the new text; the old text does not reach it.",
    "`PreCompact` comes before every request to the model, also when there is nothing to compress.",
    "Calls of its subagents are judged like all others.",
    "Another hook, also one of an extension, can rewrite a call after Tenterhook has judged it, and nothing in hooks helps. `check` names such hooks.",
    "It has no limit for Stop hooks, and crashes in an endless loop; your limits end it before.",
    "`import` leaves hooks on `BeforeModel`, `AfterModel` and `BeforeToolSelection` there: what they reply can't be passed on.",
  ],
};
