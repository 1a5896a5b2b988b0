import { eventsAsked } from "../../core/events/event-table.ts";
import { SCOPES, USUAL_PRIORITY } from "../../core/registration/hook.ts";
import { nodeRulePorts } from "../../node/ports.ts";
import { compiledRules } from "../../rules/decision.ts";
import type { RuleIndex } from "../../rules/index/rule-index.ts";
import { decidingActions, type RuleAction } from "../../rules/rule.ts";
import { readInlineRules } from "../../rules/rules.ts";
import type { IsSame } from "../combine/apply.ts";
import type { Config, ConfigDefinition } from "../config.ts";

export interface EventHook {
  /** Without its rules, when these are compiled. */
  readonly hook: ConfigDefinition;
  readonly rules?: {
    readonly index: RuleIndex;
    readonly actions: readonly RuleAction["type"][];
    /** The rules, each as JSON. */
    lines(): readonly string[];
  };
}

/** The part of a configuration that decides one event. */
export interface EventConfig
  extends Pick<Config, "timeout" | "limits" | "sites" | "trust" | "vanished" | "broken"> {
  readonly settings: Pick<Config["settings"], "daemon" | "degrade" | "monitor" | "permissions">;
  readonly hooks: readonly EventHook[];
  /** The user's own prices of models. */
  readonly prices?: Config["settings"]["models"]["prices"];
  /** Compares a file with a copy of what it was; without it, or without a copy, by a digest. */
  readonly isSame?: IsSame;
}

export function eventConfig(config: Config, event: string): EventConfig {
  return { ...sharedPart(config), hooks: hooksOf(config, event).map(eventHook) };
}

export function sharedPart(config: Config): Omit<EventConfig, "hooks"> {
  const { limits, timeout, settings, sites, trust, vanished, broken } = config;
  return {
    limits,
    timeout,
    settings: {
      daemon: settings.daemon,
      degrade: settings.degrade,
      monitor: settings.monitor,
      permissions: settings.permissions,
    },
    ...(settings.models.prices === undefined ? {} : { prices: settings.models.prices }),
    sites,
    trust,
    vanished,
    broken,
  };
}

const ready = new WeakMap<ConfigDefinition, EventHook>();

/** Makes a hook ready to decide an event. Compiled once per definition: the cache and the event share it. */
export function eventHook(given: ConfigDefinition): EventHook {
  const known = ready.get(given) ?? readyHook(given);
  ready.set(given, known);
  return known;
}

function readyHook(given: ConfigDefinition): EventHook {
  const hook = readsUsage(given) ? { ...given, reads_usage: true as const } : given;
  if (hook.definition.type !== "inline" || hook.untrusted !== undefined) return { hook };
  const { inline_rules: _, rules: __, examples: ___, ...definition } = hook.definition;
  const rules = readInlineRules(hook.definition);
  const { index, lines } = compiledRules(rules, nodeRulePorts);
  const actions = [...new Set(decidingActions(rules))];
  return {
    hook: { ...hook, definition },
    rules: { index, actions, lines: () => lines },
  };
}

/** True when rules, templates or conditions name `usage`, and for programs and code that get the whole event. */
function readsUsage({ definition }: ConfigDefinition): boolean {
  const isNative = "payload" in definition && definition.payload === "native";
  const getsEvent = definition.type !== "inline" && !isNative;
  return getsEvent || /\busage\b/.test(JSON.stringify(definition));
}

/** The hooks that are asked when an event is decided, in the order in which a hook set asks them. */
export function hooksOf({ guards, definitions }: Config, event: string): readonly ConfigDefinition[] {
  const asked = eventsAsked(event);
  return [...guards, ...definitions]
    .filter(({ definition, enabled }) => {
      return enabled && [definition.matcher.events].flat().some((name) => asked.has(name));
    })
    .sort((a, b) => priorityOf(a) - priorityOf(b) || scopeRank(a) - scopeRank(b));
}

function priorityOf({ definition: { priority = USUAL_PRIORITY } }: ConfigDefinition): number {
  return priority;
}

function scopeRank({ origin }: ConfigDefinition): number {
  return SCOPES.indexOf(origin.scope);
}
