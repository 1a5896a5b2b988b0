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
}

export function forkIntegration({
  adapter,
  table,
  folder,
  variable,
  since,
  warnings = [],
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
    switches: { variables: [`${name.toUpperCase()}_PURE`] },
    lifts: pluginLifts({
      name,
      title,
      folders: (places) => [usersFolder(places), join(places.home, folder), join(places.root, folder)],
    }),
  };
}
