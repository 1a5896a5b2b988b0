import { join } from "node:path";
import type { Integration, SettingsPlaces } from "../../integration.ts";
import { PROJECT_PROGRAM } from "../../settings/hook-command.ts";
import { pluginFile } from "../plugin-file.ts";
import { pluginLifts } from "./lifts.ts";
import { TOOL_EVENTS } from "./table.ts";

/** What differs between opencode and its forks. */
interface Fork extends Pick<Integration, "adapter" | "table"> {
  /** The folder with its settings in a project: `.opencode`. */
  readonly folder: string;
  /** The variable that names the user's folder. */
  readonly variable: string;
  /** The first version that was tried. */
  readonly since: string;
  /** What nothing closes in this fork alone. */
  readonly warnings?: readonly string[];
  readonly notes?: readonly string[];
}

/** What is different in opencode and its forks, for their pages in the reference. */
const NOTES: readonly string[] = [
  "It has no command hooks: `install` writes a plug-in, which asks `tenterhook hook`, has a timeout of its own, and refuses when Tenterhook is missing, broken or too slow.",
  "`--pure` and `OPENCODE_PURE=1` (`KILO_PURE=1`) turn all plug-ins off; `check` says when the variable is set.",
  "After our plug-in has judged a call, its arguments can't be changed. A plug-in that tries fails, and you read which file it was.",
  "Other plug-ins run inside it, as ours does, and can run commands without any call. `check` names them, with file and line.",
  "Its own questions (`permission: ask`) become `PermissionRequest`: a hook may answer before the user does. `opencode run` refuses before any hook can.",
  "`opencode run` ends with the turn, so the plug-in asks Stop hooks there for each text that the model writes, also for one before a tool call. Elsewhere it asks once, at the end.",
  "Context of a call comes with its result. It sends no event for a tool that failed: context then waits for the next result or prompt.",
  "A refused prompt makes no request. `opencode run` prints the reason on stderr; opencode itself shows an error without it.",
  "Subagents are asked about too: `agent_id` is the id of their session.",
  "The first start takes longer: it installs `@opencode-ai/plugin` into every folder with plug-ins, and without a network it tries for more than a minute.",
];

export function forkIntegration({
  adapter,
  table,
  folder,
  variable,
  since,
  warnings = [],
  notes = [],
}: Fork): Integration {
  const { name, title } = table;
  const usersFolder = ({ home, environment }: SettingsPlaces): string =>
    environment[variable] ?? join(environment.XDG_CONFIG_HOME ?? join(home, ".config"), name);
  return {
    adapter,
    table,
    program: name,
    since: { version: since, older: "was not tried with Tenterhook." },
    shellCall: (command, cwd) => ({
      plugin: name,
      hook_event_name: "tool.execute.before",
      session_id: "explain",
      cwd,
      tool_name: "bash",
      tool_input: { command },
    }),
    settings: pluginFile(
      {
        table,
        tools: {
          names: {
            ApplyPatch: ["patch", "apply_patch"],
            LS: ["list"],
            Glob: ["glob"],
            WebFetch: ["webfetch"],
            WebSearch: ["websearch"],
            Task: ["task"],
            TodoWrite: ["todowrite"],
          },
          changeNothing: ["read", "glob", "grep", "list", "skill", "todowrite", "todoread", "webfetch"],
        },
        toolEvents: TOOL_EVENTS,
        prompts: new Map([["permission.asked", {}]]),
      },
      "opencode",
    ),
    scopes: ["project", "user"],
    settingsFile: (scope, places) =>
      join(scope === "user" ? usersFolder(places) : join(places.root, folder), "plugins", "tenterhook.js"),
    projectCommand: `../../${PROJECT_PROGRAM} hook`,
    startsInRoot: false,
    warnings: [
      `${title} runs without any hook when it is started with --pure, and does not say when it can't load a plug-in.`,
      `A call of the model is refused where a hook asks: ${title} has no way to ask about a single call.`,
      ...warnings,
    ],
    notes: [...NOTES, ...notes],
    switches: { variables: [`${name.toUpperCase()}_PURE`] },
    lifts: pluginLifts({
      name,
      title,
      folders: (places) => [usersFolder(places), join(places.home, folder), join(places.root, folder)],
    }),
  };
}
