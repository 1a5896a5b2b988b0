import { join } from "node:path";
import type { Bridge } from "../bridge.ts";
import { PROJECT_PROGRAM } from "../settings/agent-settings.ts";
import { valueAt } from "../settings/json-edit.ts";
import { claude } from "./claude.ts";
import { importClaude } from "./import/import.ts";
import { runsFor, sampleEvents } from "./import/samples.ts";
import { understoodReply } from "./import/understood.ts";
import { claudeSettings } from "./settings.ts";
import { startedIn } from "./started-in.ts";
import { claudeTable } from "./table.ts";

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

export const claudeBridge: Bridge = {
  adapter: claude,
  program: "claude",
  resume: (session) => ["-p", "--resume", session],
  since: {
    version: "2.1.241",
    older:
      "does not know onFailure, which came with 2.1.241: where our program is missing, killed or broken, the call goes on. Update it.",
  },
  settings: claudeSettings,
  scopes: ["project", "user", "local"],
  settingsFile: (scope, { root, home, environment }) => {
    if (scope === "user")
      return join(environment.CLAUDE_CONFIG_DIR ?? join(home, ".claude"), "settings.json");
    return join(root, ".claude", scope === "local" ? "settings.local.json" : "settings.json");
  },
  table: claudeTable,
  projectCommand: `"$CLAUDE_PROJECT_DIR"/${PROJECT_PROGRAM} hook`,
  startsInRoot: true,
  startedIn,
  switchedOff: (text) =>
    // Settings that it does not read turn nothing off.
    claudeSettings.unread(text) === undefined && valueAt(text, ["disableAllHooks"]) === true
      ? "disableAllHooks is true there"
      : undefined,
  oneRun: {
    replaced: ({ args }) => settingsIn(args).given,
    started: ({ args }, { file }) => ({
      args: ["--settings", file, ...settingsIn(args).others],
      variables: {},
    }),
  },
  importing: {
    importHooks: importClaude,
    compared: {
      samples: sampleEvents,
      runs: runsFor,
      understood: ({ event, handler }, reply) => understoodReply(event, reply, handler.onFailure === "block"),
      variables: (root) => ({ CLAUDE_PROJECT_DIR: root, CLAUDECODE: "1" }),
    },
  },
};
