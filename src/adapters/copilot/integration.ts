import { join } from "node:path";
import type { Integration } from "../integration.ts";
import type { AgentSettings } from "../settings/agent-settings.ts";
import { hookCommand, PROJECT_PROGRAM } from "../settings/hook-command.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { type SettingsText, valueAt } from "../settings/json-edit.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { recordedAt, untrustedFolder } from "../settings/trusted-folders.ts";
import { copilot, copilotTable } from "./copilot.ts";
import { copilotEvent, TOOL_EVENTS, withCapital } from "./events.ts";
import { hasSmallLetter, importCopilot, isMatched } from "./import.ts";

/** A matcher is compared with both names of a tool: Copilot's own, and the one of payloads. */
const COPILOT_TOOLS: ToolNaming = {
  names: copilotTable.tools,
  lists: true,
};

export const copilotSettings: AgentSettings = hookLists({
  table: copilotTable,
  shape: "flat",
  heading: { version: 1 },
  usualSeconds: 30,
  tools: COPILOT_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([
    ["PreToolUse", { matcher: "AskUserQuestion|ExitPlanMode|ask_user|exit_plan_mode" }],
    ["PermissionRequest", {}],
    ["Notification", {}],
  ]),
  handlerFor: (event) => ({
    type: "command",
    command: hookCommand(event, "refuses, reads stdout"),
    timeoutSec: event.timeout,
  }),
  secondsOf: ({ timeoutSec }) => (typeof timeoutSec === "number" ? timeoutSec : undefined),
  ...readsStrictJson("GitHub Copilot CLI reads strict JSON only, and"),
});

function allDisabled(text: SettingsText): string | undefined {
  return valueAt(text, ["disableAllHooks"]) === true ? "disableAllHooks is true there" : undefined;
}

export const copilotIntegration: Integration = {
  adapter: copilot,
  table: copilotTable,
  program: "copilot",
  since: {
    version: "1.0.102",
    older: "is older than the version with which all of this was tried. Update it.",
  },
  settings: copilotSettings,
  scopes: ["project", "user"],
  // A file of its own: Copilot reads all of the folder.
  settingsFile: (scope, { root, home, environment }) =>
    scope === "user"
      ? join(environment.COPILOT_HOME ?? join(home, ".copilot"), "hooks", "tenterhook.json")
      : join(root, ".github", "hooks", "tenterhook.json"),
  projectCommand: `"$CLAUDE_PROJECT_DIR"/${PROJECT_PROGRAM} hook`,
  startsInRoot: "unless git",
  // It runs those of the user in every folder.
  startsNone: ({ root, home, environment }, isUser) => {
    const file = join(environment.COPILOT_HOME ?? join(home, ".copilot"), "config.json");
    const recorded = recordedAt(file, ["trustedFolders"]);
    const folders = (Array.isArray(recorded) ? recorded : []).filter((one) => typeof one === "string");
    return isUser
      ? undefined
      : untrustedFolder(
          root,
          folders.map((one) => [one, true]),
        );
  },
  warnings: [
    "GitHub Copilot CLI runs hooks of a project only if its folder is trusted: start it there once and trust it, or install with --user.",
    "GitHub Copilot CLI runs a tool when a hook takes longer than the time in its settings. Our own timeouts end before.",
  ],
  switchedOff: allDisabled,
  // It reads the same key in Claude Code's settings. In those of the user it does nothing.
  switches: {
    files: ({ root }) =>
      [".github/copilot", ".claude"].flatMap((folder) =>
        ["settings.json", "settings.local.json"].map((name) => ({
          file: join(root, folder, name),
          switchedOff: allDisabled,
        })),
      ),
  },
  importing: {
    importHooks: importCopilot,
    places: (scope, { root, home, environment }) => {
      const own = environment.COPILOT_HOME ?? join(home, ".copilot");
      return scope === "user"
        ? [join(own, "hooks"), join(own, "settings.json")]
        : [join(root, ".github", "hooks"), join(root, ".github", "copilot", "settings.json")];
    },
    compared: {
      sends: (event, payload) => {
        const isIts = copilotEvent(payload) === withCapital(event);
        // This event has one form only.
        if (withCapital(event) === "PermissionRequest") return isIts;
        return isIts && hasSmallLetter(event) === (payload.hook_event_name === undefined);
      },
      runs: isMatched,
      variables: (root) => ({ COPILOT_CLI: "1", COPILOT_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root }),
    },
  },
  notes: [
    "If Tenterhook is missing or broken, Copilot refuses the call by itself.",
    "Hooks of the user run in every folder, also below a project that is no git repository.",
    "Copilot has two forms of payloads, by the spelling of the event in its settings. `install` writes the one with a capital letter; `tenterhook hook` reads both.",
    "An `ask` asks the user; without one Copilot refuses.",
    "Results are texts there.",
    "Stop hooks continue a turn up to our limit, and at most eight times in a row, which is Copilot's.",
    "Starting a subagent can't be refused. Refuse the tool `Task` on `PreToolUse`.",
    "Copilot joins the names of an MCP server and its tool with a hyphen. We split `my-server-say` at the last one: `mcp__my-server__say`. For a tool with a hyphen in its name, use a pattern: `mcp__*say-it`.",
    "Messages to the user are not shown; `tenterhook log` has them.",
    "It also reads Claude Code's settings in the project and runs equal hooks twice. A call that comes twice is decided once.",
    "`disableAllHooks: true` in `.github/copilot/settings.json` or `.claude/settings.json` (or `settings.local.json`) of a project switches all hooks off, yours included.",
    "Imported hooks fail as there: one that crashes refuses the call, one that takes too long or prints nonsense does not. Hooks of other types than `command` stay in Copilot.",
  ],
};
