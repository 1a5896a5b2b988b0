import { basename, join } from "node:path";
import { isRecord, listOf } from "../../core/base/json.ts";
import { compilePathGlob } from "../../core/match/glob.ts";
import type { Integration, LiftFinder, SettingsPlaces } from "../integration.ts";
import { pathsIn, readFile } from "../lifts.ts";
import { pluginFile } from "../plugins/plugin-file.ts";
import { PROJECT_PROGRAM } from "../settings/hook-command.ts";
import { OWNED_MARK } from "../settings/installed-texts.ts";
import { type SettingsText, valueAt } from "../settings/json-edit.ts";
import { pi, piTable } from "./pi.ts";

const FILE = "tenterhook.js";

function usersFolder(home: string, environment: SettingsPlaces["environment"]): string {
  return environment.PI_CODING_AGENT_DIR ?? join(home, ".pi", "agent");
}

/** `pi config` turns an extension off with `-extensions/NAME`; `!` excludes by a pattern, and `+` takes one in again. */
function excluded(text: SettingsText): string | undefined {
  const listed = valueAt(text, ["extensions"]);
  const list = Array.isArray(listed) ? listed.filter((entry) => typeof entry === "string") : [];
  const named = (mark: string) => list.find((entry) => entry.startsWith(mark) && entry.endsWith(`/${FILE}`));
  const pattern = list
    .filter((entry) => entry.startsWith("!"))
    .find((entry) => [FILE, `extensions/${FILE}`].some(compilePathGlob(entry.slice(1))));
  const why = named("-") ?? (named("+") === undefined ? pattern : undefined);
  return why === undefined ? undefined : `extensions has ${JSON.stringify(why)} there`;
}

/** The files that pi loads for an extension. */
function entriesOf(path: string): readonly string[] {
  if (/\.[jt]s$/.test(path)) return [path];
  return pathsIn(path).filter((file) => ["index.ts", "index.js", "package.json"].includes(basename(file)));
}

/** Where pi finds extensions and what names them: the user's folder and the project's. */
const foldersOf = ({ root, home, environment }: SettingsPlaces): readonly string[] => [
  usersFolder(home, environment),
  join(root, ".pi"),
];

function beside(name: string): string {
  return `The extension ${name} runs inside pi, beside Tenterhook, and can run what Tenterhook refuses.`;
}

const otherExtensions: LiftFinder = (places) =>
  foldersOf(places)
    .flatMap((folder) => pathsIn(join(folder, "extensions")).flatMap(entriesOf))
    .filter((file) => basename(file) !== FILE || readFile(file).text?.includes(OWNED_MARK) !== true)
    .map((file) => ({
      what: beside(file),
      where: file,
      line: 1,
      way_out: "Read it; remove it unless you trust it.",
    }));

const listedExtensions: LiftFinder = (places) =>
  foldersOf(places).flatMap((folder) => {
    const file = readFile(join(folder, "settings.json"));
    return ["extensions", "packages"].flatMap((key) =>
      listOf(file.value([key])).flatMap((entry, at) => {
        const name = String(isRecord(entry) ? entry.source : entry);
        // These turn extensions off, and on again.
        if (/^[-+!]/.test(name)) return [];
        return [file.lift([key, at], beside(name), `Take it out of ${key} unless you trust it.`)];
      }),
    );
  });

export const piIntegration: Integration = {
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
      tools: {
        names: { LS: ["ls"], Glob: ["find"] },
        changeNothing: ["read", "ls", "find", "grep"],
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
    const folder = scope === "user" ? usersFolder(home, environment) : join(root, ".pi");
    return join(folder, "extensions", FILE);
  },
  projectCommand: `../../${PROJECT_PROGRAM} hook`,
  startsInRoot: false,
  warnings: ["pi runs without any hook when it is started with --no-extensions."],
  switches: {
    files: (places) =>
      foldersOf(places).map((folder) => ({ file: join(folder, "settings.json"), switchedOff: excluded })),
  },
  lifts: [otherExtensions, listedExtensions],
  notes: [
    "pi has no command hooks: `install` writes an extension, which asks `tenterhook hook` and refuses when it is missing, broken or too slow.",
    "Install it for the user. Newer versions load a project's extensions only after its user has trusted them, and skip them silently where nobody can be asked, such as in CI.",
    "`pi config` can switch our extension off.",
    "After our extension has judged a call, its arguments can't be changed. An extension that tries fails, and you read which file it was.",
    "Other extensions run inside pi, as ours does, and can run commands without any call. `check` names them, with file and line.",
    "Calls of a script that the model writes (`codemode`) are judged like all others; `parent_tool_use_id` is the id of the script's call.",
    "An `ask` works in the terminal. Without one, the call is refused.",
    "Without a terminal pi does not wait for extensions at the end of a turn, so ours blocks pi while your Stop hooks run.",
    "Context of a call comes with its result; that of a prompt or a session as a message before the model answers.",
    "A refused prompt makes no request; the reason is shown, or written to stderr.",
    "Version 1.5.2 (`@earendil-works/pi-coding-agent`) needs Node 22.19.",
  ],
};
