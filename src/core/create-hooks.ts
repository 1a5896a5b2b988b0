import { checkKeys } from "./base/check-options.ts";
import { idSequence, systemClock, WallTime } from "./base/clock.ts";
import { ignore } from "./base/error-text.ts";
import { TenterhookError } from "./base/errors.ts";
import { isRecord } from "./base/json.ts";
import { AsyncRuns } from "./decide/async-runs.ts";
import type { Decision } from "./decide/decision.ts";
import type { Engine } from "./decide/engine.ts";
import type { FireOptions } from "./decide/event-scope.ts";
import { decideParts, fire, raiseEvent } from "./decide/fire.ts";
import { Lookout } from "./decide/lookout.ts";
import { Observers } from "./decide/observers.ts";
import type { EventParts } from "./events/event-parts.ts";
import type { EventName, OwnEventName } from "./events/event-table.ts";
import type { Hooks, HooksOptions } from "./hooks.ts";
import { isIdleCall } from "./loops/idle-call.ts";
import { lifecycle } from "./loops/lifecycle.ts";
import { toolCall } from "./loops/tool-call.ts";
import { lexicalPaths } from "./match/paths.ts";
import type { Ports } from "./ports.ts";
import type { HookFunction, HookOptions } from "./registration/hook.ts";
import { completeLimits, type Limits } from "./registration/limits.ts";
import { prepareHook, rowOf } from "./registration/prepare-hook.ts";
import { closeHook } from "./registration/registered-hook.ts";
import { Registry } from "./registration/registry.ts";
import { Sessions } from "./session/state.ts";

type AnyName = EventName | OwnEventName;

const ENGINE = Symbol("engine");

/**
 * A hook set with the engine behind it. What a loop asks again and again are functions that all sets share and that look
 * here for theirs: V8 drops the code it compiled for a function of one set as soon as another set is asked.
 */
interface HookSet extends Hooks {
  readonly [ENGINE]: Engine;
  limits: Limits;
}

/** Ports that need nothing from outside. */
export function defaultPorts(): Ports {
  return { clock: systemClock, newId: idSequence(systemClock.now()), paths: lexicalPaths };
}

/**
 * Makes a hook set.
 *
 * @throws TenterhookError for options or limits nobody reads.
 */
export function createHooks(options: HooksOptions = {}, ports: Ports = defaultPorts()): Hooks {
  checkKeys(options, ["limits", "onRun", "timeout"], "createHooks");
  let timeout = secondsOf(options.timeout ?? 30);
  const registry = new Registry();
  const engine: Engine = {
    registry,
    sessions: new Sessions(),
    observers: new Observers(),
    decisionObservers: new Observers(),
    ports,
    limits: completeLimits(options.limits),
    asyncRuns: new AsyncRuns(),
    raise: (pass, error) => raiseEvent(engine, pass, error),
    wallTime: new WallTime(ports.clock),
    lookout: new Lookout(ports.clock),
  };
  if (options.onRun !== undefined) engine.observers.add(options.onRun);

  const prepare: Hooks["prepare"] = (events, hookOptions, handler) =>
    prepareHook(registry, ports, { events, options: hookOptions, handler, defaultTimeout: timeout });
  const replace: Hooks["replace"] = (before, after) => {
    for (const hook of registry.replace(before, after)) ignore(closeHook(hook));
  };
  const register: Hooks["register"] = (events, hookOptions, handler) => {
    const hook = prepare(events, hookOptions, handler);
    replace([], [hook]);
    return () => replace([hook], []);
  };
  let ownSession: string | undefined;
  const here = (): { session_id: string; cwd: string } => {
    ownSession ??= ports.newId();
    return { session_id: ownSession, cwd: ports.cwd?.() ?? "/" };
  };
  const decide: Hooks["fire"] = (event, fireOptions = {}) => fire(engine, event, fireOptions);

  const hooks: HookSet = {
    [ENGINE]: engine,
    ...lifecycle(decide, ports.clock),
    on<Name extends AnyName>(
      events: Name | readonly Name[],
      second: HookOptions | HookFunction<Name>,
      third?: HookFunction<Name>,
    ) {
      const run = typeof second === "function" ? second : third;
      if (typeof run !== "function")
        throw new TenterhookError("invalid_option", "hooks.on needs a function as its last argument.");
      return register(events, typeof second === "function" ? {} : second, { type: "function", run });
    },
    register,
    prepare,
    replace,
    configure: (given) => {
      checkKeys(given, ["limits", "timeout"], "hooks.configure");
      const limits = completeLimits({ ...options.limits, ...given.limits });
      timeout = secondsOf(given.timeout ?? options.timeout ?? 30);
      engine.limits = limits;
      hooks.limits = limits;
    },
    before: (task) => registry.before(task),
    events: () => new Map(registry.eventNames().map((name) => [name, rowOf(registry, name)])),
    declare: (name, declaration) => registry.catalogue.declare(name, declaration),
    include(other) {
      if (!isHookSet(other))
        throw new TenterhookError("invalid_option", "hooks.include takes a hook set made by createHooks.");
      registry.include(other[ENGINE].registry);
      return hooks;
    },
    enable: (name) => registry.setEnabled(name, true),
    disable: (name) => registry.setEnabled(name, false),
    fire: decide,
    decide: decideHere,
    wants: wantsHere,
    limits: engine.limits,
    fireUntyped: (event, fireOptions = {}) => fire(engine, event, fireOptions),
    toolCall: (call) =>
      toolCall({ fire: decide, idle: (event) => isIdleCall(engine, event), clock: ports.clock, here }, call),
    observe: (observer) => engine.observers.add(observer),
    observeDecisions: (observer) => engine.decisionObservers.add(observer),
    settled: () => engine.asyncRuns.settled(),
    close: async () => {
      await Promise.allSettled(registry.all().map(closeHook));
    },
    list: () =>
      registry.all().map(({ hook, enabled, handler: { problem } }) => ({
        ...hook,
        enabled,
        ...(problem === undefined ? {} : { problem }),
      })),
    stats: () =>
      registry.all().map(({ hook, enabled, counters, handler }) => {
        const health = handler.health?.();
        return {
          name: hook.name,
          enabled,
          ...counters,
          mean_ms: counters.runs === 0 ? 0 : counters.total_ms / counters.runs,
          ...(health === undefined ? {} : { health }),
        };
      }),
  };
  return hooks;
}

function isHookSet(hooks: unknown): hooks is HookSet {
  return isRecord(hooks) && ENGINE in hooks;
}

function decideHere(
  this: HookSet,
  parts: EventParts,
  options: FireOptions = {},
): Decision | Promise<Decision> {
  return decideParts(this[ENGINE], parts, options);
}

function wantsHere(this: HookSet, event: AnyName): boolean {
  const { decisionObservers, registry } = this[ENGINE];
  // What is done before an event may bring hooks that nobody knows of yet.
  return !decisionObservers.silent || registry.hasTasks() || registry.hears(event);
}

function secondsOf(timeout: unknown): number {
  if (typeof timeout === "number" && timeout > 0) return timeout;
  throw new TenterhookError(
    "invalid_option",
    `createHooks: timeout is ${timeout}; it must be a number of seconds above 0.`,
  );
}
