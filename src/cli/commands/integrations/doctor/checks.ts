import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { mayKeepGoing } from "../../../../adapters/import/stop-limits.ts";
import { PROJECT_PROGRAM } from "../../../../adapters/settings/hook-command.ts";
import type { Config, ConfigDefinition } from "../../../../config/config.ts";
import { stringList } from "../../../../core/base/check-options.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { fieldsOfEvent } from "../../../../core/events/event-fields.ts";
import { DEFAULT_LIMITS } from "../../../../core/registration/limits.ts";
import { calledProgram, callsOwnCopy, ONLY_NPM } from "../../../../install/called-program.ts";
import type { Finding } from "../../../../install/finding.ts";
import { PACKAGE_VERSION } from "../../../../node/package-version.ts";
import { stateFolder } from "../../../../node/user-folders.ts";
import { counted, shortPath } from "../../../command-line/screen/text.ts";
import { goneText, untrustedText } from "../../../configured-hooks/gone-text.ts";
import type { LoadedHooks } from "../../../configured-hooks/load-hooks.ts";
import { scriptsIn } from "../import/sources.ts";

export function programFinding(root: string, cwd: string, environment: NodeJS.ProcessEnv): Finding {
  const isOwn = callsOwnCopy(root);
  const copy = isOwn && existsSync(join(root, PROJECT_PROGRAM)) ? PROJECT_PROGRAM : undefined;
  const { found = copy, only_npm } = calledProgram(cwd, environment);
  const about = "tenterhook";
  const version = `Version ${PACKAGE_VERSION}`;
  if (found !== undefined)
    return { level: "ok", about, message: `${version}; agents call ${shortPath(found, cwd)}.` };
  if (only_npm !== undefined) return { level: "error", about, message: `${version}. ${ONLY_NPM}` };
  return {
    level: "error",
    about,
    message: `${version} is running, but agents will not find it: there is no tenterhook on the PATH. ${isOwn ? "Run npm install here: the project has a copy of its own" : "Install it globally, or add its folder to the PATH"}.`,
  };
}

/** Checks that do not depend on an agent: trust, programs, and hooks that never match. */
export function hookFindings(
  { config, failing }: Pick<LoadedHooks, "config" | "failing">,
  cwd: string,
): readonly Finding[] {
  const { trust, files } = config;
  const turns = Object.keys(config.agent_hooks?.hooks ?? {}).length;
  const untrusted = new Set(
    config.definitions.flatMap(({ name, untrusted: why }) => (why === undefined ? [] : [name])),
  );
  const findings: Finding[] = [];
  const add = (level: Finding["level"], about: string, message: string): void =>
    void findings.push({ level, about, message });
  add(
    "ok",
    "configuration",
    `${counted(config.definitions.length, "hook")} of ${counted(files.length, "file")}${turns === 0 ? "" : `, ${counted(turns, "turn program")} of .agent/hook.toml`}.`,
  );
  const gone = goneText(trust, cwd);
  if (gone !== undefined) add("error", "trust", gone);
  const unreviewed = untrustedText(config, cwd);
  if (unreviewed !== undefined)
    findings.push({ level: "warning", about: "trust", message: `${unreviewed}.`, fix: "tenterhook trust" });
  else if (gone === undefined && trust.untrusted.length === 0)
    add("ok", "trust", trust.state === "nothing" ? "Nothing needs trust." : "Trusted.");
  for (const { name, reason } of failing) if (!untrusted.has(name)) add("error", `hook ${name}`, reason);
  for (const { agent, file, option } of config.vanished ?? [])
    add(
      "error",
      agent,
      `${shortPath(file, cwd)} no longer calls Tenterhook: tenterhook install ${agent}${option} restores it, tenterhook uninstall ${agent}${option} forgets it.`,
    );
  return [...findings, ...neverMatching(config.definitions), ...givingUp(config)];
}

const STOPS: readonly string[] = ["Stop", "SubagentStop"];

/** Hooks written for another agent, which would ask them after a turn of any length. */
function givingUp({ definitions, limits, trust }: Config): readonly Finding[] {
  const { turn_seconds, turn_tokens } = { ...DEFAULT_LIMITS, ...limits };
  if (turn_seconds > DEFAULT_LIMITS.turn_seconds && turn_tokens > DEFAULT_LIMITS.turn_tokens) return [];
  return definitions
    .filter(({ enabled, definition }) => {
      const isStop = [definition.matcher.events].flat().some((event) => STOPS.includes(event));
      const isNative = Reflect.get(definition, "payload") === "native";
      return enabled && isStop && isNative && mayKeepGoing({ ...definition }, scriptsIn(trust.root));
    })
    .map(({ name }) => ({
      level: "warning",
      about: `hook ${name}`,
      message: `It stops keeping the agent going after ${turn_seconds} s or ${turn_tokens} tokens of a turn; its own agent has no such limit. Raise limits.turn_seconds and limits.turn_tokens in your own configuration.`,
    }));
}

/** True when the event has something for a matcher field; also for unknown events. */
type Carries = (event: string) => boolean;

const carries =
  (field: string, ...others: readonly string[]): Carries =>
  (event) =>
    others.includes(event) || (fieldsOfEvent(event)?.includes(field) ?? true);

const FIELDS: ReadonlyMap<string, Carries> = new Map([
  ["tools", carries("tool_name", "Error")],
  ["command_patterns", carries("tool_name")],
  ["sources", carries("source")],
  ["error_types", carries("error_type")],
]);

function neverMatching(definitions: readonly ConfigDefinition[]): readonly Finding[] {
  return definitions.flatMap(({ name, definition, enabled }) => {
    if (!enabled) return [];
    const { events: given, ...matcher } = definition.matcher;
    const events = [given].flat();
    const impossible = Object.keys(matcher)
      .filter((field) => events.every((event) => FIELDS.get(field)?.(event) === false))
      .map(
        (field) =>
          `It can never match: ${events.join(" and ")} ${events.length === 1 ? "has" : "have"} nothing that ${field} could look at.`,
      );
    const servers =
      matcher.tools === undefined
        ? []
        : stringList(matcher.tools, "tools")
            .flatMap((tools) => (tools.startsWith("/") ? [] : tools.split("|")))
            .filter((tool) => /^mcp__(?:(?!__)[\w-])+$/.test(tool))
            .map((tool) => `${tool} fits no tool: a server's tools are ${tool}__*.`);
    return [...impossible, ...servers].map(
      (message): Finding => ({ level: "warning", about: `hook ${name}`, message }),
    );
  });
}

/** The folders in the state folder. */
const PARTS = ["trust", "journal", "once", "last-good"];

/** An error when state can't be stored. */
export function stateFindings(environment: NodeJS.ProcessEnv): readonly Finding[] {
  const folder = stateFolder(environment);
  for (const path of [folder, ...PARTS.map((part) => join(folder, part))]) {
    try {
      accessSync(nearestOf(path), constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      const message = `${path} can't be used (${errorMessage(error)}): trust is not stored, nothing is recorded, Stop hooks can't continue a turn, and once hooks run every time. Make it readable and writable for this user, or set XDG_STATE_HOME to a folder that is.`;
      return [{ level: "error", about: "state", message }];
    }
  }
  return [];
}

/** The nearest existing parent: the rest would be created below it. */
function nearestOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory() === true) return path;
  if (status !== undefined) throw new Error(`${path} is no folder`);
  return nearestOf(dirname(path));
}
