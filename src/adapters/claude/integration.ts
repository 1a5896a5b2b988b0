import { join } from "node:path";
import { SYSTEM } from "../../node/system.ts";
import type { System } from "../../shared/system/system.ts";
import type { Integration, SettingsPlaces } from "../integration.ts";
import type { AgentSettings, HookInForce, WantedEvent } from "../settings/agent-settings.ts";
import { callWithoutShell } from "../settings/call-without-shell.ts";
import { HOOK_COMMAND, hookCommand, PROJECT_PROGRAM, wakeCommand } from "../settings/hook-command.ts";
import { type Handler, hookLists } from "../settings/hook-lists.ts";
import { lineOf, type SettingsText, valueAt } from "../settings/json-edit.ts";
import { wrongText } from "../settings/shape.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { claude, claudeTable } from "./claude.ts";
import { TOOL_EVENTS } from "./events.ts";
import { claudeHeadless } from "./headless.ts";
import { importClaude } from "./import/import.ts";
import { isMatched } from "./import/matcher.ts";
import { claudeLastGate } from "./last-gate-seat.ts";
import { CLAUDE_LIFTS, configFolder, isSeated, MANAGED, pluginHookFiles, pluginSources } from "./lifts.ts";
import { wrongSetting } from "./settings-validity.ts";
import { claudeStatusLine } from "./status-line.ts";

/** The tools with which it waits for a human, as a matcher. */
export const PROMPT_TOOLS = "ExitPlanMode|AskUserQuestion|EnterPlanMode";

const CLAUDE_TOOLS: ToolNaming = {
  names: claudeTable.tools,
  changeNothing: [
    "AskUserQuestion",
    "BashOutput",
    "EnterPlanMode",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "LS",
    "ListMcpResourcesTool",
    "NotebookRead",
    "Read",
    "ReadMcpResourceTool",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
  ],
  lists: true,
  mcpNames: true,
};

/** A hook in the background that wakes the model when it ends with exit code 2. */
const REWAKES = {
  asyncRewake: true,
  timeout: 86_400,
  rewakeMessage: "A message from the monitor of your user:",
  rewakeSummary: "Message from the monitor",
} as const;

/** On a system without a POSIX shell it starts us by arguments; one that Git brings along may not be there. */
export function claudeHandler(event: WantedEvent, { posixShell }: Pick<System, "posixShell">): Handler {
  return {
    type: "command",
    ...(posixShell ? { command: hookCommand(event) } : callWithoutShell(event)),
    timeout: event.timeout,
    ...(event.gate ? { onFailure: "block" } : {}),
  };
}

export const claudeSettings: AgentSettings = hookLists({
  table: claudeTable,
  shape: "groups",
  usualSeconds: 600,
  tools: CLAUDE_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([
    ["PreToolUse", { matcher: PROMPT_TOOLS }],
    // The answer was given.
    ["PostToolUse", { matcher: PROMPT_TOOLS }],
    ["PermissionRequest", {}],
    ["Notification", {}],
  ]),
  matcherFor: (native, wanting) => (native === "FileChanged" ? fileMatcher(wanting) : undefined),
  handlerFor: (event) => claudeHandler(event, SYSTEM),
  wakes: new Set(["Stop", "StopFailure"]),
  wakerFor: ({ command = HOOK_COMMAND }) => {
    const waits = wakeCommand(command);
    return waits === undefined ? undefined : { type: "command", command: waits, ...REWAKES };
  },
  keepsMatcher: (native) => native === "FileChanged",
  ...readsStrictJson("Claude Code reads strict JSON only, and", {
    rejects(text) {
      const wrong = wrongSetting(JSON.parse(text.replace(/^\uFEFF/, "")), []);
      if (wrong === undefined) return undefined;
      const place = `line ${lineOf(text, wrong.path)} has one: ${wrongText(wrong)}`;
      return `Claude Code ignores a file with an invalid setting, and ${place}`;
    },
  }),
});

/** The names of the files that Claude Code has to watch, wherever they are; `undefined` when hooks do not name them. */
function fileMatcher(hooks: readonly Pick<HookInForce, "files">[]): string | undefined {
  const names = hooks.flatMap(({ files = [] }) => files).filter((name) => /^[^/*?[\]{}\\|]+$/.test(name));
  return names.length === 0 ? undefined : [...new Set(names)].sort().join("|");
}

const OPTION = "--settings";

/** The settings that arguments name, of which the last ones count, and the other arguments. */
function settingsIn(args: readonly string[]): {
  readonly given?: string;
  readonly others: readonly string[];
} {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const at = args.findLastIndex(
    (one, place) => place < end && (one === OPTION || one.startsWith(`${OPTION}=`)),
  );
  const [option, value] = [args[at], args[at + 1]];
  if (option === undefined) return { others: args };
  if (option !== OPTION) return { given: option.slice(OPTION.length + 1), others: args.toSpliced(at, 1) };
  return value === undefined ? { others: args } : { given: value, others: args.toSpliced(at, 2) };
}

function userSettings(places: Pick<SettingsPlaces, "home" | "environment">): string {
  return join(configFolder(places), "settings.json");
}

function managedOff(text: SettingsText): string | undefined {
  // Our own entries there are managed ones.
  const isOurs = claudeSettings.installed(text).length > 0;
  const keys = isOurs ? ["disableAllHooks"] : ["disableAllHooks", "allowManagedHooksOnly"];
  const key = keys.find((name) => valueAt(text, [name]) === true);
  return key === undefined ? undefined : `${key} is true there`;
}

export const claudeIntegration: Integration = {
  adapter: claude,
  program: "claude",
  resume: (session, carried) => ["-p", "--resume", session, ...carried],
  begin: (carried) => ["-p", ...carried],
  headless: claudeHeadless,
  carried: {
    values: [
      "--model",
      "--fallback-model",
      "--permission-mode",
      "--settings",
      "--setting-sources",
      "--mcp-config",
      "--add-dir",
      "--allowedTools",
      "--allowed-tools",
      "--disallowedTools",
      "--disallowed-tools",
      "--append-system-prompt",
      "--agent",
      "--agents",
      "--effort",
    ],
    flags: ["--dangerously-skip-permissions", "--strict-mcp-config"],
    except: /[/\\]watch\.json$/,
  },
  continuable: '"type":"assistant"',
  since: {
    version: "2.1.241",
    older:
      "does not know onFailure, which came with 2.1.241: where our program is missing, killed or broken, the call runs unchecked. Update it.",
  },
  settings: claudeSettings,
  statusLine: claudeStatusLine,
  lastGate: claudeLastGate(MANAGED, userSettings),
  scopes: ["project", "user", "local"],
  settingsFile: (scope, { root, home, environment }) => {
    if (scope === "user") return userSettings({ home, environment });
    return join(root, ".claude", scope === "local" ? "settings.local.json" : "settings.json");
  },
  managed: { file: MANAGED },
  table: claudeTable,
  projectCommand: `"$CLAUDE_PROJECT_DIR"/${PROJECT_PROGRAM} hook`,
  startsInRoot: true,
  switchedOff: (text) =>
    // Settings that it does not read turn nothing off.
    claudeSettings.unread(text) === undefined && valueAt(text, ["disableAllHooks"]) === true
      ? "disableAllHooks is true there"
      : undefined,
  switches: {
    files: () => [{ file: MANAGED, switchedOff: managedOff }],
  },
  lifts: CLAUDE_LIFTS,
  hookFiles: pluginHookFiles,
  pluginSources,
  judgesRewrites: isSeated,
  oneRun: {
    replaced: ({ args }) => settingsIn(args).given,
    started: ({ args }, { file }) => ({
      args: ["--settings", file, ...settingsIn(args).others],
      variables: {},
    }),
  },
  importing: {
    importHooks: importClaude,
    frontMatter: true,
    plugins: true,
    compared: {
      runs: isMatched,
      variables: (root) => ({ CLAUDE_PROJECT_DIR: root, CLAUDECODE: "1" }),
    },
  },
};
