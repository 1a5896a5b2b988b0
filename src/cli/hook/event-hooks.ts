import type { Adapter } from "../../adapters/adapter.ts";
import { isOwnEvent } from "../../adapters/declare-events.ts";
import type { EventConfig, KeptHook } from "../../config/cache/kept.ts";
import { prepareHook, siteOf } from "../../config/combine/apply.ts";
import { brokenHook, untrustedNotice } from "../../config/combine/broken.ts";
import { idSequence, systemClock } from "../../core/base/clock.ts";
import type { DefinitionSite } from "../../core/contracts/definition-site.ts";
import { createHooks } from "../../core/create-hooks.ts";
import type { AnyEvent } from "../../core/events/payloads.ts";
import type { Hooks } from "../../core/hooks.ts";
import { definitionParts } from "../../core/registration/definition.ts";
import type { PreparedHook } from "../../core/registration/registered-hook.ts";
import { ruleConditions } from "../../handlers/conditions.ts";
import type { HookDefinition } from "../../handlers/definition.ts";
import { ruleHandler } from "../../handlers/inline.ts";
import { nodePaths } from "../../node/paths.ts";
import { nodeRulePorts } from "../../node/rule-ports.ts";
import { fileSpill } from "../../node/spill.ts";
import { keptDecision } from "../../rules/compiled/compiled-rules.ts";
import { compileRegex, loadRegexEngine } from "../../rules/operators/regex.ts";

/** How the hooks of one event are made ready. */
export interface EventHooksOptions {
  /** Whose the event is. */
  readonly adapter: Adapter;
  /** The event that is to be decided. */
  readonly event: string;
  /** Hears the name of each hook that is to run beside the event; without it they run in this process. */
  readonly beside?: (name: string) => void;
  /** Takes the turn of a `once` hook, false when it has had it; without it such a hook is asked as others are. */
  readonly takeTurn?: (name: string, event: AnyEvent) => boolean;
  /** The id the event is to have. */
  readonly eventId?: string;
}

/**
 * A hook set for one event. Rules decide in this process and are read only when the texts they require occur; everything
 * else is loaded with its handlers, from a file of its own.
 */
export async function eventHooks(config: EventConfig, options: EventHooksOptions): Promise<Hooks> {
  const { limits, timeout } = config;
  // A hook set compiles the expressions of matchers synchronously.
  if (config.hooks.some(hasRegexMatcher)) await loadRegexEngine();
  const newId = idSequence(systemClock.now());
  let { eventId } = options;
  const hooks = createHooks(
    { limits, ...(timeout === undefined ? {} : { timeout }) },
    {
      clock: { ...systemClock, monotonic },
      newId: () => {
        const id = eventId ?? newId();
        eventId = undefined;
        return id;
      },
      paths: nodePaths,
      regex: compileRegex,
      spill: fileSpill(),
      conditions: ruleConditions(nodeRulePorts),
    },
  );
  const wanted = [options.event, ...config.hooks.flatMap(({ hook }) => hook.definition.matcher.events)];
  for (const name of new Set(wanted)) {
    if (!isOwnEvent(name)) continue;
    const declaration = options.adapter.declarations[name];
    if (declaration !== undefined) hooks.declare(name, declaration);
  }
  const prepared = await Promise.all(
    config.hooks.map((kept) => preparedHook(withTurns(hooks, kept, options), kept, config, options.beside)),
  );
  // To list all events takes as long as to make a few hooks ready.
  const broken = config.broken === undefined ? undefined : brokenHook(config, hooks.events());
  for (const report of [broken, untrustedNotice(config)])
    if (report !== undefined) prepared.push(hooks.prepare(report.events, report.options, report.handler));
  hooks.replace([], prepared);
  return hooks;
}

/** The set as it makes a hook ready: one that is asked once has taken its turn before it runs, and keeps it for the event. */
function withTurns(hooks: Hooks, { hook }: KeptHook, { takeTurn }: EventHooksOptions) {
  const { name, definition, untrusted } = hook;
  if (takeTurn === undefined || definition.once !== true || untrusted !== undefined) return hooks;
  const taken = new Map<string, boolean>();
  const mayRun = (event: AnyEvent): boolean => {
    const has = taken.get(event.event_id) ?? takeTurn(name, event);
    taken.set(event.event_id, has);
    return has;
  };
  const prepare: Hooks["prepare"] = (events, options, handler) =>
    hooks.prepare(events, options, {
      ...handler,
      run: (event, context) => (mayRun(event) ? handler.run(event, context) : undefined),
    });
  return { ...hooks, prepare };
}

function preparedHook(
  hooks: Hooks,
  { hook, rules }: KeptHook,
  config: EventConfig,
  beside: EventHooksOptions["beside"],
): Promise<PreparedHook> {
  const target = {
    prepare: hooks.prepare,
    handles: async () => true,
    prepareDefinition: async (definition: HookDefinition, site: DefinitionSite) => {
      const { events, options } = definitionParts(definition);
      if (options.async === true && beside !== undefined) {
        const { type } = definition;
        // The set says when its turn has come, by its matcher; nothing is done then but to note it.
        return hooks.prepare(events, options, { type, run: () => void beside(hook.name) });
      }
      if (rules === undefined) {
        const { prepareOther } = await import("./slow-path.ts");
        return prepareOther(hooks, definition, site);
      }
      const owner = JSON.stringify(hook.definition.name);
      const decide = keptDecision(rules.index, rules.lines, nodeRulePorts, owner);
      return hooks.prepare(events, options, ruleHandler(rules.actions, decide));
    },
  };
  return prepareHook(target, hook, siteOf(hook, config));
}

function hasRegexMatcher({ hook }: KeptHook): boolean {
  const values: readonly unknown[] = Object.values(hook.definition.matcher).flat();
  return values.some((value) => typeof value === "string" && /^\/.*\/i?$/s.test(value));
}

/** The same clock as everywhere, read without the module that Node would load for it. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}
