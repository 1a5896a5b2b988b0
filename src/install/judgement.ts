import { existsSync } from "node:fs";
import { join } from "node:path";
import { isGate, rowOf } from "../adapters/codec/agent-table.ts";
import type { Integration, SettingsPlaces } from "../adapters/integration.ts";
import { PROJECT_PROGRAM } from "../adapters/settings/hook-command.ts";
import type { Config, ConfigDefinition } from "../config/config.ts";
import { assumedRow } from "../core/events/event-table.ts";
import { failureMode } from "../core/registration/registered-hook.ts";
import { decidingActions } from "../rules/rule.ts";
import { readInlineRules } from "../rules/rules.ts";
import { closedProject } from "./agent-trust.ts";
import { calledProgram } from "./called-program.ts";
import type { Installation, InstallationFile } from "./installation.ts";
import { isAsked, type Needs } from "./needs.ts";
import type { ProvenAgent } from "./proofs.ts";
import { optionFor, orElse, readsOnlyInRoot } from "./settings-files.ts";

/** What becomes of a hook when an agent calls us. */
export interface JudgedHook {
  readonly name: string;
  readonly state: "in_force" | "records" | "off" | "untrusted" | "script_gone" | "fails";
  /** What keeps it from deciding. */
  readonly why?: string;
  /** True when calls that it would judge are refused because of that. */
  readonly refuses?: true;
}

/** One event of an agent that hooks need, or for which it calls us anyway. */
export interface JudgedEvent {
  /** The agent's name of it. */
  readonly event: string;
  readonly gate: boolean;
  /** The hooks on it, whatever their state. */
  readonly hooks: readonly string[];
  /** True when the agent's settings call us for all the tools that hooks need. */
  readonly wired: boolean;
  /** True when nothing of the agent's own keeps it from that: its trust, or a switch. */
  readonly trusted: boolean;
  /** True when our program is where the settings call it. */
  readonly runnable: boolean;
  /** What keeps the agent from asking us, a clause whose subject it is. */
  readonly why?: string;
  /** The file with what keeps it from that. */
  readonly where?: string;
  /** The command that mends it. */
  readonly fix?: string;
}

export interface JudgedAgent {
  readonly name: string;
  readonly title: string;
  /** Of its program; absent when that is not here. */
  readonly version?: string;
  /** True when some of its settings call us. */
  readonly installed: boolean;
  readonly events: readonly JudgedEvent[];
  /** The hooks that decide in it: in force, and asked on every event that they need. */
  readonly decides: readonly string[];
  /** What `prove` has found with this version. */
  readonly proven?: ProvenAgent;
  /** True when it has proven another version. */
  readonly outdated?: true;
}

/** Whether a project is guarded: what the first screen, `list`, `check`, `install`, `agents` and the dashboard say follows from it. */
export interface Judgement {
  /** `last_good`: the files can't be used now, and what they last said is in force. `broken`: and nothing is known of that. */
  readonly configuration: "none" | "in_force" | "last_good" | "broken";
  /** What is wrong with the files. */
  readonly problems: NonNullable<Config["broken"]>["problems"];
  /** What was trusted and is gone: every gate refuses. */
  readonly gone: readonly string[];
  /** Trusted files that have changed since: every gate refuses. */
  readonly changed: readonly string[];
  readonly hooks: readonly JudgedHook[];
  readonly agents: readonly JudgedAgent[];
}

/** What is known of an agent before it is judged. */
export interface KnownAgent {
  readonly installation: Installation;
  readonly needs: Needs;
  readonly version?: string | undefined;
  readonly proof?: ProvenAgent | undefined;
  /** Why it does not find our program where it starts hooks. */
  readonly unfound?: string | undefined;
}

/** Judges what agents do with the hooks in force, when they start in a folder. Starts nothing, writes nothing, never throws. */
export function judge(
  config: Config,
  failing: readonly { readonly name: string; readonly reason: string }[],
  agents: readonly KnownAgent[],
  cwd: string,
): Judgement {
  const { definitions, broken, trust, files, vanished } = config;
  const defined = definitions.map((one) => judgedHook(one, failing));
  const { deny = [], ask = [] } = config.settings.permissions;
  const isAlone = !defined.some(({ state }) => state === "in_force");
  const hooks = isAlone && deny.length + ask.length > 0 ? [...defined, PERMISSIONS] : defined;
  const isNone = files.length === 0 && definitions.length === 0 && vanished === undefined;
  return {
    configuration:
      broken === undefined ? (isNone ? "none" : "in_force") : broken.last_good ? "last_good" : "broken",
    problems: broken?.problems ?? [],
    gone: (trust.gone ?? []).map(({ name }) => name),
    changed: trust.changed ?? [],
    hooks,
    agents: agents.map((known) => judgedAgent(known, config, hooks, cwd)),
  };
}

/** The permissions of a configuration in which no hook decides; they guard like one where they refuse or ask. */
export const PERMISSIONS = { name: "permissions", state: "in_force" } as const satisfies JudgedHook;

/** True for a hook that only records what it would do, as do all its rules. */
export function isShadow(definition: ConfigDefinition["definition"]): boolean {
  if (definition.mode === "shadow") return true;
  if (definition.type !== "inline" || !/\bshadow\b/.test(JSON.stringify(definition))) return false;
  return orElse(false, () => decidingActions(readInlineRules(definition)).length === 0);
}

function judgedHook(
  { name, enabled, untrusted, gone_files: goneFiles, definition }: ConfigDefinition,
  failing: readonly { readonly name: string; readonly reason: string }[],
): JudgedHook {
  if (!enabled) return { name, state: "off" };
  const fails = failing.find((one) => one.name === name)?.reason;
  const isGone = goneFiles !== undefined || fails?.startsWith("There is no script ") === true;
  const why = untrusted ?? fails;
  if (why === undefined) return { name, state: isShadow(definition) ? "records" : "in_force" };
  const kind = untrusted === undefined ? "missing" : "untrusted";
  const events = [definition.matcher.events].flat().map(assumedRow);
  // Nobody else makes a guard that can't run a shadow.
  const enforced = { ...definition, mode: "enforce" } as const;
  const refuses = events.some((row) => failureMode(enforced, row, kind) === "closed");
  return {
    name,
    state: isGone ? "script_gone" : untrusted === undefined ? "fails" : "untrusted",
    why,
    ...(refuses ? { refuses } : {}),
  };
}

function judgedAgent(
  known: KnownAgent,
  config: Config,
  hooks: readonly JudgedHook[],
  cwd: string,
): JudgedAgent {
  const { installation, needs, version, proof } = known;
  const { integration, installed } = installation;
  const asked = config.definitions.filter((one) => isAsked(one, integration));
  const hooksOn = new Map<string, string[]>();
  for (const { name, definition } of asked)
    for (const native of nativesFor([definition.matcher.events].flat(), integration))
      hooksOn.set(native, [...(hooksOn.get(native) ?? []), name]);
  if (hooks.includes(PERMISSIONS))
    for (const native of nativesFor(["PreToolUse"], integration)) hooksOn.set(native, [PERMISSIONS.name]);
  const called = installed.flatMap(({ events }) => events);
  const natives = new Set([...needs.events.map(({ native }) => native), ...called]);
  const isOutdated = proof?.version !== undefined && version !== undefined && proof.version !== version;
  const events = [...natives].map(
    (native): JudgedEvent => ({
      event: native,
      gate: isGate(rowOf(integration.table, native)),
      hooks: hooksOn.get(native) ?? [],
      ...reachOf(native, known, cwd),
    }),
  );
  const isAskedEverywhere = (name: string): boolean => {
    const own = events.filter((event) => event.hooks.includes(name));
    return own.length > 0 && own.every(({ runnable }) => runnable);
  };
  return {
    name: integration.adapter.name,
    title: integration.table.title,
    version,
    installed: installed.length > 0,
    events,
    decides: hooks.flatMap(({ name, state }) =>
      state === "in_force" && isAskedEverywhere(name) ? [name] : [],
    ),
    ...(proof === undefined ? {} : isOutdated ? { outdated: true } : { proven: proof }),
  };
}

/** The agent's events that become one of these. */
function nativesFor(events: readonly string[], { settings }: Integration): readonly string[] {
  return settings.wanted([{ events, timeout: 1 }]).events.map(({ native }) => native);
}

type Reach = Pick<JudgedEvent, "wired" | "trusted" | "runnable" | "why" | "where" | "fix">;

const REACHED: Reach = { wired: true, trusted: true, runnable: true };

/** How far the agent's call comes on an event. One file that reaches us is enough. */
function reachOf(native: string, known: KnownAgent, cwd: string): Reach {
  const { installed, integration } = known.installation;
  const calling = installed.filter(({ events }) => events.includes(native));
  const reached = calling.map((file) => reachFrom(file, native, known, cwd));
  const [best] = reached.toSorted((one, other) => stagesOf(other) - stagesOf(one));
  if (best !== undefined) return best;
  return installed.length === 0
    ? { ...UNWIRED, why: "does not call Tenterhook", fix: `tenterhook install ${integration.adapter.name}` }
    : { ...UNWIRED, why: "does not call Tenterhook", fix: SYNC };
}

function stagesOf({ wired, trusted, runnable }: Reach): number {
  return [wired, trusted, runnable].filter(Boolean).length;
}

const UNWIRED = { wired: false, trusted: false, runnable: false };
const UNTRUSTED = { wired: true, trusted: false, runnable: false };
const NOT_RUNNABLE = { wired: true, trusted: true, runnable: false };
const SYNC = "tenterhook install --sync";
const READABLE = "tenterhook check";

function reachFrom(file: InstallationFile, native: string, known: KnownAgent, cwd: string): Reach {
  const { installation, version } = known;
  const { integration, places, off } = installation;
  const install = `tenterhook install ${integration.adapter.name}${optionFor(integration, file)}`;
  const where = file.file;
  if (file.unread !== undefined)
    return { ...UNWIRED, why: `does not read its settings, since ${file.unread.why}`, where, fix: READABLE };
  if (version !== undefined && integration.unloaded?.(version, file.text) !== undefined)
    return { ...UNWIRED, why: `does not load our plug-in in version ${version}`, where, fix: SYNC };
  const isOwn = file.place === "project" || file.place === "local";
  if (isOwn && cwd !== places.root && readsOnlyInRoot(integration, places.root))
    return {
      ...UNWIRED,
      why: "reads these settings only where they are",
      where,
      fix: `${install} --user`,
    };
  const different = changedIn(file, native, known.needs);
  if (different.length > 0)
    return { ...UNWIRED, why: `does not call Tenterhook as it has to (${different.join(", ")})`, fix: SYNC };
  const [switched] = off;
  if (switched !== undefined)
    return { ...UNTRUSTED, why: `runs no hook, since ${switched.why}`, where: switched.where };
  const closed = orElse(undefined, () => closedProject(integration, where, places, version));
  if (closed !== undefined)
    return { ...UNTRUSTED, why: "does not trust this project", fix: `${install} --user` };
  const unstarted = integration.startsNone?.(places, file.place === "user");
  if (unstarted !== undefined) return { ...UNTRUSTED, why: unstarted };
  if (file.untrusted.includes(native))
    return { ...UNTRUSTED, why: "does not trust our hooks", fix: `${install} --trust` };
  const isFound = known.unfound === undefined && findsProgram(file, native, places, cwd);
  return isFound ? REACHED : { ...NOT_RUNNABLE, why: "does not find tenterhook", fix: "tenterhook check" };
}

/** Keys of our entries that change how long the agent waits and what it does without us, but not whether it asks. */
const TOLERATED = new Set([
  "matcher",
  // Only one of ours is known as ours.
  "command",
  "timeout",
  "timeoutSec",
  "onFailure",
  "failClosed",
  "loop_limit",
  "waker",
  "more than one",
]);

/** What of our entry keeps the agent from asking us about all that hooks need. */
function changedIn(
  { text, integration }: InstallationFile,
  native: string,
  { events }: Needs,
): readonly string[] {
  const wanted = events.filter((event) => event.native === native);
  return orElse([], () => integration.settings.drifted(text, wanted)).flatMap(({ narrow, different }) =>
    different.filter((key) => (key === "matcher" ? narrow : !TOLERATED.has(key))),
  );
}

/** True when our program is where one of the entries calls it. */
function findsProgram(
  { entries }: InstallationFile,
  native: string,
  { root, environment }: SettingsPlaces,
  cwd: string,
): boolean {
  const ours = entries.filter(({ event, isOurs }) => isOurs && event === native);
  return ours.some(({ command }) =>
    command.includes(PROJECT_PROGRAM)
      ? existsSync(join(root, PROJECT_PROGRAM))
      : calledProgram(cwd, { ...environment }).found !== undefined,
  );
}
