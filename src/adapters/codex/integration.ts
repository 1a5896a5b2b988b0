import { join } from "node:path";
import { listOf } from "../../core/base/json.ts";
import type { Integration, LiftFinder, OneRun, SettingsPlaces } from "../integration.ts";
import { readFile } from "../lifts.ts";
import type { AgentSettings, WantedEvent } from "../settings/agent-settings.ts";
import { hookCommand } from "../settings/hook-command.ts";
import { type Handler, hookLists } from "../settings/hook-lists.ts";
import type { SettingsText } from "../settings/json-edit.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import { tomlTables } from "../settings/toml-tables.ts";
import type { WantedRules } from "../settings/wanted-events.ts";
import { codex, codexTable, TOOL_EVENTS } from "./codex.ts";
import { codexHeadless } from "./headless.ts";
import { importCodex, isMatched } from "./import.ts";
import { codexRequirements, REQUIREMENTS } from "./requirements.ts";
import { whyRejected } from "./settings-validity.ts";
import {
  codexTrust,
  entryName,
  MOST_SHORT_SECONDS,
  SHORT_EVENTS,
  TRUST_KEY,
  TRUST_SECTION,
  trustHash,
} from "./trust.ts";

const PROMPT_TOOL = "request_user_input";

const WANTED: WantedRules = {
  table: codexTable,
  usualSeconds: 600,
  tools: {
    names: codexTable.tools,
    lists: true,
    mcpNames: true,
  },
  toolEvents: TOOL_EVENTS,
  prompts: new Map([
    ["PreToolUse", { matcher: PROMPT_TOOL }],
    ["PermissionRequest", {}],
  ]),
};

export const codexSettings: AgentSettings = hookLists({
  ...WANTED,
  shape: "groups",
  handlerFor,
  ...readsStrictJson("Codex reads strict JSON only, and", { rejects: whyRejected }),
});

/** The entry of an event. Codex goes on when a hook fails and has no switch for that. */
function handlerFor(event: WantedEvent): Handler {
  return {
    type: "command",
    command: hookCommand(event, "goes on"),
    timeout: SHORT_EVENTS.has(event.native) ? Math.min(event.timeout, MOST_SHORT_SECONDS) : event.timeout,
  };
}

/** The feature's name, and the one it had before. */
const FEATURES = ["hooks", "codex_hooks"];

function featureOff(text: SettingsText): string | undefined {
  const features = tomlTables(text, "features");
  const off = FEATURES.find((name) => features[name] === false);
  return off === undefined ? undefined : `features.${off} is false there`;
}

/** Its own configuration, the user's and the project's. */
function configurations({ root, home, environment }: SettingsPlaces): readonly string[] {
  return [environment.CODEX_HOME ?? join(home, ".codex"), join(root, ".codex")].map((folder) =>
    join(folder, "config.toml"),
  );
}

function hasGate(configuration: SettingsText): boolean {
  try {
    return listOf(tomlTables(configuration, "hooks").PreToolUse).length > 0;
  } catch {
    return false;
  }
}

/** It runs hooks of its configuration, too, which may rewrite a call. */
const hooksInConfiguration: LiftFinder = (places) =>
  configurations(places).flatMap((path) => {
    const file = readFile(path);
    if (!hasGate(file.text)) return [];
    return [
      file.lift(
        ["PreToolUse"],
        "A hook of somebody else on PreToolUse may rewrite a call, and nobody judges the rewrite.",
        "Take it out there, or have Tenterhook run it.",
      ),
    ];
  });

const requirements = codexRequirements(WANTED, groupFor);

/** The people who manage the machine may allow their own hooks alone, ours among them. */
function managedOnly(text: SettingsText): string | undefined {
  return requirements.installed(text).length === 0 &&
    /^\s*allow_managed_hooks_only\s*=\s*true/m.test(text ?? "")
    ? "allow_managed_hooks_only is true there"
    : undefined;
}

/** Where Codex 0.166.0 says that hooks in its arguments come from. */
const ARGUMENTS = "/<session-flags>/config.toml";

/**
 * Our entries as arguments of Codex, each with the trust of the user who starts it: the same place in its record that
 * `install --trust` writes, for this run alone. Other hooks that the user has not trusted stay untrusted.
 */
const codexOneRun: OneRun = {
  started: ({ args }, { events }) => ({
    args: [
      ...events.flatMap((event) => ["-c", `hooks.${event.native}=${toml([groupFor(event)])}`]),
      "-c",
      `${TRUST_SECTION}=${toml(Object.fromEntries(events.map(trusted)))}`,
      ...args,
    ],
    variables: {},
  }),
};

function groupFor(event: WantedEvent) {
  const { matcher } = event;
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [handlerFor(event)] };
}

function trusted(event: WantedEvent) {
  const { native, matcher } = event;
  const hash = trustHash(native, matcher, handlerFor(event));
  return [entryName(ARGUMENTS, native, 0, 0), { [TRUST_KEY]: hash }] as const;
}

/** A value as TOML in one line. Its strings are written as in JSON. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}=${toml(one)}`);
  return `{${pairs.join(",")}}`;
}

export const codexIntegration: Integration = {
  adapter: codex,
  table: codexTable,
  program: "codex",
  resume: (session, carried) => ["exec", ...carried, "resume", session, "-"],
  begin: (carried) => ["exec", ...carried, "-"],
  headless: codexHeadless,
  carried: {
    values: ["-m", "--model", "-c", "--config", "-p", "--profile", "-s", "--sandbox", "--add-dir"],
    flags: ["--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check", "--oss"],
    except: /^hooks\./,
  },
  since: {
    version: "0.166.0",
    older: "was not tested with these hooks: it may send fewer events. Update it.",
  },
  settings: codexSettings,
  scopes: ["project", "user"],
  settingsFile: (scope, { root, home, environment }) =>
    scope === "user"
      ? join(environment.CODEX_HOME ?? join(home, ".codex"), "hooks.json")
      : join(root, ".codex", "hooks.json"),
  managed: { file: REQUIREMENTS, settings: requirements },
  startsInRoot: "unless git",
  warnings: ["Codex sends no event for write_stdin: what a running program reads from there is not judged."],
  switches: {
    files: (places) => [
      ...configurations(places).map((file) => ({ file, switchedOff: featureOff })),
      { file: REQUIREMENTS, switchedOff: managedOnly },
    ],
  },
  lifts: [hooksInConfiguration],
  trust: codexTrust,
  oneRun: codexOneRun,
  importing: { importHooks: importCodex, compared: { runs: isMatched, variables: () => ({}) } },
  notes: [
    "`install --sync` keeps trusted entries trusted, and `uninstall` takes their records out of `config.toml` again.",
    "Codex 0.169 reads nothing of a project whose folder you have not trusted, and says so on stderr alone. Start `codex` there once, or install with `--user`. Tenterhook does not trust the folder for you: the project's MCP servers could run then, too.",
    "An `allow` before a call changes nothing: Codex asks as it would without it. A hook on `PermissionRequest` can allow; `codex exec` never sends that event.",
    "Edits are patches: hooks on `Edit` and `Write` run for `apply_patch`, and `path_patterns` see every file of the patch.",
    "Calls of a script that the model writes (code mode) are judged like all others.",
    "Another hook can rewrite a call after Tenterhook has judged it, and nothing in hooks helps. `check` names such hooks.",
    "`features.hooks = false` (once `codex_hooks`) in a `config.toml` switches all hooks off.",
    "It has no limit for Stop hooks; Tenterhook's apply.",
    "In managed settings, hooks are requirements: always trusted, with `features.hooks` pinned, so that no user switches them off.",
    "`import` leaves hooks in `config.toml` where they are.",
  ],
};
