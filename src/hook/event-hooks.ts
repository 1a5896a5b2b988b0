import type { Adapter } from "../adapters/adapter.ts";
import { payloadOf } from "../adapters/agents.ts";
import type { EventConfig, EventHook } from "../config/cache/event-config.ts";
import { permissionsDecide, prepareHook, siteOf } from "../config/combine/apply.ts";
import { reportHooks } from "../config/combine/broken.ts";
import { idSequence, systemClock } from "../core/base/clock.ts";
import { listOf } from "../core/base/json.ts";
import type { DefinitionSite } from "../core/contracts/definition-site.ts";
import { createHooks } from "../core/create-hooks.ts";
import { isOwnEvent } from "../core/events/known-events.ts";
import type { AnyEvent } from "../core/events/payloads.ts";
import type { Hooks } from "../core/hooks.ts";
import { type DefinitionPort, type HookInternals, internals } from "../core/internals.ts";
import type { HandlerTypeName } from "../core/registration/handler-types.ts";
import type { WrittenDefinition } from "../core/registration/hook-definition.ts";
import { definitionParts } from "../core/registration/prepare-hook.ts";
import type { PreparedHook } from "../core/registration/registered-hook.ts";
import { ruleConditions } from "../handlers/conditions.ts";
import { EXTERNAL_MAKERS, type Make } from "../handlers/external-makers.ts";
import type { HandlerPorts, ModuleRunner } from "../handlers/handler.ts";
import { ruleHandler } from "../handlers/inline.ts";
import { type MakeHandler, readyHook } from "../handlers/ready-hook.ts";
import { AGENT_PID, programAbove } from "../node/identity/parent-program.ts";
import { ownProgram } from "../node/own-program.ts";
import { fileSpill, nodePaths, nodeRulePorts, rulePortsFor } from "../node/ports.ts";
import { SYSTEM } from "../node/system.ts";
import { compiledDecision } from "../rules/decision.ts";
import type { RulePorts } from "../rules/fields/judged-event.ts";
import { compileRegex, loadRegexEngine } from "../rules/operators/regex.ts";
import type { HookCall, Host } from "./call.ts";
import type { OnceRun } from "./once-hooks.ts";
import { MODULE_FLAG } from "./process/flags.ts";

type Preparing = Pick<HookInternals, "prepare">;

/** How the hooks of one event are made ready. */
export interface EventHooksOptions {
  readonly adapter: Adapter;
  readonly call: HookCall;
  readonly host: Host;
  /** The name of the event to be decided. */
  readonly event: string;
  /** Called with the name of each asynchronous hook that matches; without it they run in this process. */
  readonly onAsync?: (name: string) => void;
  /** Claims the run of a `once` hook, unless it has run already; without it such a hook runs like any other. */
  readonly claimOnce?: (name: string, event: AnyEvent) => OnceRun | undefined;
  readonly eventId?: string | undefined;
}

/**
 * A hook set for one event. Rules that were compiled before decide without being read again; every other hook is made as its definition says.
 */
export async function eventHooks(config: EventConfig, options: EventHooksOptions): Promise<Hooks> {
  const { limits, timeout } = config;
  // A hook set compiles the expressions of matchers synchronously.
  if (config.hooks.some(hasRegexMatcher)) await loadRegexEngine();
  const newId = idSequence(systemClock.now());
  const ports = rulePortsFor(options.call.environment);
  let { eventId } = options;
  const hooks = createHooks(
    { limits, timeout },
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
      conditions: ruleConditions(ports),
    },
  );
  const wanted = [options.event, ...config.hooks.flatMap(({ hook }) => hook.definition.matcher.events)];
  for (const name of new Set(wanted)) {
    if (!isOwnEvent(name)) continue;
    const declaration = options.adapter.declarations[name];
    if (declaration !== undefined) hooks.declare(name, declaration);
  }
  const set = internals(hooks);
  const prepared = await Promise.all(
    config.hooks.map((hook) => preparedHook(set, hook, config, options, ports)),
  );
  if (permissionsDecide(config, options.event)) {
    const { permissionHook } = await import("./permission-hook.ts");
    prepared.push(permissionHook(set, config));
  }
  for (const { events, options: about, handler } of reportHooks(config, set.events()))
    prepared.push(set.prepare(events, about, handler));
  set.replace([], prepared);
  return hooks;
}

function preparedHook(
  whole: HookInternals,
  eventHook: EventHook,
  config: EventConfig,
  options: EventHooksOptions,
  ports: RulePorts,
): Promise<PreparedHook> {
  const { hook, rules } = eventHook;
  const set = withOnce(whole, eventHook, options);
  const definitions: DefinitionPort = {
    handles: async () => true,
    prepare: async (definition, site) => {
      const { events, options: hookOptions } = definitionParts(definition);
      const { onAsync } = options;
      // A shadow that is no rule takes its time like an async hook.
      const isLater = hookOptions.async === true || (hookOptions.mode === "shadow" && rules === undefined);
      if (isLater && onAsync !== undefined) {
        // The set matches the hook; it runs once the agent has its reply.
        const run = () => onAsync(hook.name);
        const { mode: _, ...others } = hookOptions;
        return set.prepare(events, { ...others, async: true }, { type: definition.type, run });
      }
      if (rules === undefined) return prepareOther(set, definition, site, options);
      const owner = JSON.stringify(hook.definition.name);
      const decide = compiledDecision(rules.index, rules.lines, ports, owner);
      return set.prepare(events, hookOptions, ruleHandler(rules.actions, decide));
    },
  };
  return prepareHook({ ...set, definitions }, hook, siteOf(hook, config, config.isSame));
}

/** The set as it prepares a `once` hook: the hook claims its run first, and keeps the claim for the event. */
function withOnce(set: HookInternals, { hook }: EventHook, options: EventHooksOptions): Preparing {
  const { claimOnce, call } = options;
  const { name, definition, untrusted } = hook;
  const prepare: Preparing["prepare"] = (...given) => set.prepare(...given);
  if (claimOnce === undefined || definition.once !== true || untrusted !== undefined) return { prepare };
  const claims = new Map<string, OnceRun | undefined>();
  const runOf = (event: AnyEvent): OnceRun | undefined => {
    if (!claims.has(event.event_id)) claims.set(event.event_id, claimOnce(name, event));
    return claims.get(event.event_id);
  };
  return {
    prepare: (events, hookOptions, handler) =>
      prepare(events, hookOptions, {
        ...handler,
        run: async (event, context) => {
          const once = runOf(event);
          if (once === undefined) return undefined;
          try {
            return await handler.run(event, context);
          } finally {
            once.end(call.signal.aborted);
          }
        },
      }),
  };
}

function hasRegexMatcher({ hook }: EventHook): boolean {
  const values: readonly unknown[] = Object.values(hook.definition.matcher).flat();
  return values.some((value) => typeof value === "string" && /^\/.*\/i?$/s.test(value));
}

/** `performance.now` without the modules that Node loads for `performance`. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}

/** The handlers that ask programs and servers; all others need models, MCP servers or rules as they are written. */
const MAKERS: { readonly [Name in HandlerTypeName]?: Make<Name> } = EXTERNAL_MAKERS;

/** Makes the handler of a hook that is not made of rules. */
export const makeOther: MakeHandler = async (type, settings, context) => {
  const here = MAKERS[type];
  if (here !== undefined) return here(settings, context);
  const { makeWithModels } = await import("./make-with-models.ts");
  return makeWithModels(type, settings, context);
};

/** Prepares a hook that is not made of rules. */
async function prepareOther(
  set: Pick<HookInternals, "prepare">,
  definition: WrittenDefinition,
  site: DefinitionSite,
  { call, host }: { readonly call: HookCall; readonly host: Host },
): Promise<PreparedHook> {
  const ports: HandlerPorts = {
    rules: nodeRulePorts,
    payloadOf,
    environment: environmentFor(definition, call),
    runner: runnerIn(call.cwd),
    leave: (left) => host.leave(left, call),
  };
  const prepare = await readyHook(definition, site, ports, host.makeFor(call));
  return prepare(set);
}

/** The variables of the call, with the agent's process for a hook that wants it. */
function environmentFor(definition: WrittenDefinition, { environment, parent }: HookCall): NodeJS.ProcessEnv {
  if (!listOf(Reflect.get(definition, "env")).includes(AGENT_PID)) return environment;
  return { ...environment, [AGENT_PID]: String(programAbove(parent) ?? parent) };
}

/** Sends what a module prints to stderr: its answers go to descriptor 3. */
const APART = 'exec "$@" 3>&1 >&2';

function runnerIn(cwd = "/"): ModuleRunner {
  return (module) => {
    const { file, args } = ownProgram("hook", MODULE_FLAG, module);
    return SYSTEM.posixShell
      ? { file: "/bin/sh", args: ["-c", APART, "sh", file, ...args], cwd }
      : { file, args, cwd };
  };
}
