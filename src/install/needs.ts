import { gatesOn, heardOn } from "../adapters/codec/agent-table.ts";
import type { Integration } from "../adapters/integration.ts";
import type { AgentSettings, HookInForce, WantedEvent } from "../adapters/settings/agent-settings.ts";
import { permissionsDecide } from "../config/combine/apply.ts";
import type { Config } from "../config/config.ts";
import type { Definition } from "../config/schema/definition.ts";
import { stringList } from "../core/base/check-options.ts";
import { TenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import type { Effect } from "../core/events/effects.ts";
import { ruleHandler } from "../handlers/inline.ts";
import { DETECTED, hasTriggers } from "../monitor/report/detect.ts";
import { DEFAULT_SECONDS } from "../monitor/report/due.ts";
import { longestHold } from "../monitor/report/prompt.ts";
import { parsePermissionRule } from "../rules/permissions/parse-rule.ts";
import { readInlineRules } from "../rules/rules.ts";
import type { MonitorSettings } from "../shared/monitor/settings.ts";
import { everySettings, secondsIn, triggerOf } from "../shared/monitor/trigger-settings.ts";

const USUAL_SECONDS = 30;

/** An effect of a hook that the agent does not support. */
export interface Unheard {
  readonly hook: string;
  readonly event: string;
  readonly effect: Effect;
  /** What happens instead. */
  readonly becomes: "deny" | "end" | "observe" | "refuse" | "ignored";
}

const BECOMES: Readonly<Record<Unheard["becomes"], string>> = {
  deny: "it is refused instead",
  end: "the run ends instead",
  observe: "it continues without it",
  refuse: "install refuses it",
  ignored: "it continues anyway, because nothing can stop it there",
};

/** A thing that an agent does not support, whatever number of hooks want it. */
export interface Unsupported {
  /** `does not support ask on PreToolUse (hook publish): it is refused instead.` */
  readonly text: string;
  /** True when the agent refuses instead: nothing passes that a hook wanted stopped. */
  readonly closed: boolean;
}

/** One line for each thing that an agent does not support; at most so many hooks are named. */
export function unsupportedTexts(
  unheard: readonly Unheard[],
  named = Number.POSITIVE_INFINITY,
): readonly Unsupported[] {
  const causes = new Map<string, Unheard & { readonly hooks: string[] }>();
  for (const one of unheard) {
    const key = `${one.effect} ${one.event} ${one.becomes}`;
    const cause = causes.get(key) ?? { ...one, hooks: [] };
    cause.hooks.push(one.hook);
    causes.set(key, cause);
  }
  return [...causes.values()].map(({ effect, event, becomes, hooks }) => {
    const more = hooks.length > named + 1 ? ` and ${hooks.splice(named).length} more` : "";
    const who = `${hooks.length === 1 ? "hook" : "hooks"} ${hooks.join(", ")}${more}`;
    return {
      text: `does not support ${effect} on ${event} (${who}): ${BECOMES[becomes]}.`,
      closed: becomes === "deny" || becomes === "end",
    };
  });
}

/** What the hooks in force need from an agent. */
export interface Needs {
  readonly events: readonly WantedEvent[];
  /** Those of the committed files alone: what the project's settings must have on every machine. */
  readonly committed: readonly WantedEvent[];
  /** Those of the managed file alone: what the machine's settings must have. */
  readonly managed: readonly WantedEvent[];
  /** Events that hooks use and the agent never sends. */
  readonly never_sent: readonly string[];
  readonly unheard: readonly Unheard[];
  /** Hooks on events that only the agent has for which they were written; a sentence each. */
  readonly foreign: readonly string[];
}

/**
 * What the hooks and the monitor settings of a configuration need from an agent. Untrusted hooks count too: they
 * refuse. Where nobody asks which file needs what, `committed` is the configuration itself.
 */
export function needsOf(config: Config, integration: Integration, committed = config): Needs {
  const wanted = wantedBy(config, integration);
  const foreign = foreignHooks(config, integration);
  const told = foreign.flatMap(({ events }) => events);
  return {
    events: wanted.events,
    never_sent: wanted.never_sent.filter((event) => !told.includes(event)),
    committed: committed === config ? wanted.events : wantedBy(committed, integration).events,
    managed: managedEvents(config, integration),
    unheard: unheardBy(config, integration),
    foreign: foreign.map(({ text }) => text),
  };
}

function managedEvents(config: Config, integration: Integration): readonly WantedEvent[] {
  const definitions = config.definitions.filter(({ origin }) => origin.scope === "managed");
  return definitions.length === 0 ? [] : wantedBy({ ...config, definitions }, integration, []).events;
}

function wantedBy(
  config: Config,
  integration: Integration,
  monitor = monitorNeeds(config.settings),
): ReturnType<AgentSettings["wanted"]> {
  const hooks: readonly HookInForce[] = [...config.guards, ...config.definitions]
    .filter((one) => isAsked(one, integration))
    .map((one) => ({
      events: [one.definition.matcher.events].flat(),
      timeout: one.timeout ?? one.definition.timeout ?? config.timeout ?? USUAL_SECONDS,
      ...toolsOf(one.definition),
      ...(config.guards.includes(one) ? { only_changes: true } : {}),
    }));
  const asked = [...hooks, ...permissionNeeds(config)];
  // Where nothing is asked, nothing is written only to watch.
  return integration.settings.wanted(asked.length === 0 && monitor === STATES ? [] : [...asked, ...monitor]);
}

/** Hooks that this agent never asks: their events are those of the agent for which they were written. */
function foreignHooks(
  config: Config,
  integration: Integration,
): readonly { readonly events: readonly string[]; readonly text: string }[] {
  const { adapter, table } = integration;
  return config.definitions.flatMap((one) => {
    const writtenFor: unknown = Reflect.get(one.definition, "written_for");
    const events = [one.definition.matcher.events].flat();
    const isElsewhere =
      typeof writtenFor === "string" &&
      writtenFor !== adapter.name &&
      events.every((event) => event.startsWith(`${writtenFor}:`));
    if (!isElsewhere || !isAsked(one, integration)) return [];
    const text = `${one.name} does not run in ${table.title}, which never sends ${events.join(", ")}.`;
    return [{ events, text }];
  });
}

function toolsOf({ matcher }: Definition): Pick<HookInForce, "tools" | "files"> {
  const { tools, path_patterns, when } = matcher;
  const named = tools === undefined ? toolsIn(when) : stringList(tools, "tools");
  return {
    tools: named,
    ...(path_patterns === undefined ? {} : { files: stringList(path_patterns, "path_patterns") }),
  };
}

/** `tool_name in [A, B]`. */
function toolsIn(when: unknown): readonly string[] | undefined {
  if (!isRecord(when) || when.field !== "tool_name" || when.operator !== "in") return undefined;
  return Array.isArray(when.value) ? when.value.map(String) : undefined;
}

/** False for a hook that is disabled or for other hosts only. A pattern may mean any host. */
export function isAsked(
  { enabled, off_until, definition }: Config["definitions"][number],
  { adapter }: Integration,
): boolean {
  const { hosts } = definition.matcher;
  // What is off for a while needs its events again.
  const isOn = enabled || off_until !== undefined;
  if (!isOn || hosts === undefined) return isOn;
  const names = stringList(hosts, "hosts").flatMap((text) => text.split("|"));
  return names.some((name) => name === adapter.name || !/^[a-z-]+$/.test(name));
}

/** Rules for commands and for changes of files concern no tool that changes nothing. */
function permissionNeeds(config: Config): readonly HookInForce[] {
  if (!permissionsDecide(config, "PreToolUse")) return [];
  const { allow = [], ask = [], deny = [] } = config.settings.permissions;
  const kindsOf = [...allow, ...ask, ...deny].map((rule) => parsePermissionRule(rule).specifier?.kind);
  const only_changes = kindsOf.every((kind) => kind === "command" || kind === "writes");
  return [{ events: ["PreToolUse"], timeout: USUAL_SECONDS, ...(only_changes ? { only_changes } : {}) }];
}

/** The events that show what an agent does, for one that is watched whatever its configuration says. */
export function watchedEvents({ settings }: Config, integration: Integration): readonly WantedEvent[] {
  return integration.settings.wanted(watchNeeds(settings)).events;
}

/**
 * The same with all that the hooks in force need, for an agent that runs where nobody has installed them.
 *
 * @throws TenterhookError `agent_cannot` when the agent does not support what a hook must be able to do.
 */
export function guardedEvents(config: Config, integration: Integration): readonly WantedEvent[] {
  const refused = unsupported(needsOf(config, integration), integration);
  if (refused !== undefined) throw refused;
  return wantedBy(config, integration, watchNeeds(config.settings)).events;
}

/** The few events that tell what an agent does: no call waits for them. */
const STATES: readonly HookInForce[] = [
  {
    events: ["SessionStart", "UserPromptSubmit", "Notification", "Stop", "SessionEnd"],
    timeout: 0,
    observes: true,
  },
];

function monitorNeeds(settings: Config["settings"]): readonly HookInForce[] {
  if (hasTriggers(settings.monitor)) return watchNeeds(settings);
  return settings.monitor.watch === false ? [] : STATES;
}

/** The monitor's needs, as if it had hooks of its own that only observe. */
function watchNeeds({ monitor }: Config["settings"]): readonly HookInForce[] {
  // Only for the tools that ask a human, which AgentPrompt needs.
  const { PostToolUse: _, ...detected } = DETECTED;
  const every = everySettings(monitor);
  const holds = every.map((one) => longestHold({ ...monitor, ...one }));
  return [
    { events: ["AgentPrompt"], timeout: Math.max(...holds) },
    { events: [...Object.keys(detected), "Notification"], timeout: 0, observes: true, wakes: true },
    { events: ["Stop"], timeout: Math.max(...every.map(checkSeconds)), observes: true },
  ];
}

/** How long the command of `on_stop: check` takes. */
function checkSeconds(monitor: MonitorSettings): number {
  const trigger = triggerOf(monitor, "on_stop");
  return trigger?.action === "check" ? secondsIn(trigger, "timeout", DEFAULT_SECONDS.check) : 0;
}

/** Why nothing is installed: effects that the agent does not support, where `degrade` says refuse (the default for rewrites). */
export function unsupported(
  { unheard }: Needs,
  { table: { title } }: Integration,
): TenterhookError | undefined {
  const refused = unheard.filter(({ becomes }) => becomes === "refuse");
  if (refused.length === 0) return undefined;
  const what = refused.map(({ hook, effect, event }) => `${effect} of ${JSON.stringify(hook)} on ${event}`);
  return new TenterhookError("agent_cannot", `${title} does not support ${what.join(", ")}.`);
}

/** Only the effects of rules are known in advance; for other hooks it counts whether they could refuse at all. */
function unheardBy({ definitions, settings }: Config, integration: Integration): readonly Unheard[] {
  return definitions.flatMap((one) => {
    const { definition, name } = one;
    if (!isAsked(one, integration)) return [];
    const effects = definition.type === "inline" ? ruleEffects(definition) : undefined;
    return [definition.matcher.events].flat().flatMap((event) => {
      const supported = heardOn(integration.table, event);
      if (supported === undefined) return [];
      // A refusal, where the agent can't be stopped and the hook might try.
      const mayRefuse: readonly Effect[] =
        gatesOn(integration.table, event) && !canStop(supported) ? ["deny"] : [];
      return (effects ?? mayRefuse)
        .filter((effect) => !supported.has(effect))
        .map((effect) => ({
          hook: name,
          event,
          effect,
          becomes: becomesOf(effect, event, integration, settings.degrade),
        }));
    });
  });
}

/** Each hook's rules are asked about for every agent. */
const KNOWN_EFFECTS = new WeakMap<object, readonly Effect[]>();

function ruleEffects(definition: Parameters<typeof readInlineRules>[0]): readonly Effect[] {
  const known = KNOWN_EFFECTS.get(definition);
  if (known !== undefined) return known;
  const actions = readInlineRules(definition).map(({ action }) => action.type);
  const effects = ruleHandler(actions, () => ({ action: "continue" })).effects ?? [];
  KNOWN_EFFECTS.set(definition, effects);
  return effects;
}

function canStop(supported: ReadonlySet<Effect>): boolean {
  return supported.has("deny") || supported.has("abort");
}

function becomesOf(
  effect: Effect,
  event: string,
  integration: Integration,
  degrade: Config["settings"]["degrade"],
): Unheard["becomes"] {
  const supported = heardOn(integration.table, event) ?? new Set<Effect>();
  if (!gatesOn(integration.table, event)) {
    const mustEnd = effect === "rewrite" && degrade.rewrite !== "observe" && supported.has("abort");
    return mustEnd ? "end" : "observe";
  }
  if (effect === "rewrite") return degrade.rewrite ?? "refuse";
  if (effect !== "ask" && effect !== "deny" && effect !== "abort") return "observe";
  if (!canStop(supported)) return "ignored";
  return effect === "ask" ? (degrade.ask ?? "deny") : "deny";
}
