import { AsyncRuns } from "./async-runs.ts";
import { countEvent } from "./ceilings.ts";
import { idSequence, systemClock, WallTime } from "./clock.ts";
import type { Decision } from "./decision.ts";
import type { Effect } from "./effects.ts";
import { ignore } from "./error-text.ts";
import { TenterhookError } from "./errors.ts";
import { type EventDeclaration, unknownEvent } from "./event-catalogue.ts";
import type { EventParts } from "./event-parts.ts";
import type { EventInput } from "./event-types.ts";
import type { EventName, EventRow, OwnEventName } from "./events.ts";
import { decideParts, type Engine, fire } from "./fire.ts";
import type { FireOptions } from "./fire-scope.ts";
import type { Hook, HookFunction, HookOptions } from "./hook.ts";
import { isRecord } from "./json.ts";
import { lexicalPaths } from "./lexical-paths.ts";
import { type Lifecycle, lifecycle } from "./lifecycle.ts";
import { completeLimits, type Limits } from "./limits.ts";
import { type DecisionObserver, Observers, type RunObserver } from "./observers.ts";
import { checkKeys } from "./options.ts";
import type { Handler, Ports } from "./ports.ts";
import { type PreparedHook, registerHook } from "./registered-hook.ts";
import { type BeforeEvent, Registry } from "./registry.ts";
import { agentState, hasPending, Sessions } from "./session-state.ts";
import { type ToolCall, toolCall } from "./tool-call.ts";

type AnyName = EventName | OwnEventName;

/** What `createHooks` takes. */
export interface HooksOptions {
  /** Ceilings and caps; the others keep their defaults. */
  readonly limits?: Partial<Limits>;
  /** Hears of every hook run: begin, live output, end. */
  readonly onRun?: RunObserver;
  /** Seconds a hook has when it does not say itself. Default 30. */
  readonly timeout?: number;
}

/** What a hook has done so far. */
export interface HookStats {
  readonly name: string;
  readonly enabled: boolean;
  readonly runs: number;
  readonly denials: number;
  readonly failures: number;
  readonly total_ms: number;
  readonly mean_ms: number;
  readonly max_ms: number;
  /** How what it keeps alive between events is doing. */
  readonly health?: string;
}

/** A set of hooks, and the engine that asks them. */
export interface Hooks extends Lifecycle {
  /**
   * Adds a function hook for one or several events.
   *
   * @returns a function that removes it again; both take effect at the next event.
   * @throws TenterhookError for an unknown event or option (with a suggestion), a bad pattern, a name twice.
   */
  on<Name extends AnyName>(events: Name | readonly Name[], run: HookFunction<Name>): () => void;
  on<Name extends AnyName>(
    events: Name | readonly Name[],
    options: HookOptions,
    run: HookFunction<Name>,
  ): () => void;
  /** Adds a hook that decides by another handler than a function. */
  register(events: string | readonly string[], options: HookOptions, handler: Handler): () => void;
  /**
   * Makes a hook ready without adding it.
   *
   * @throws TenterhookError as `on` does, but for a name that is taken.
   */
  prepare(events: string | readonly string[], options: HookOptions, handler: Handler): PreparedHook;
  /**
   * Takes hooks out and adds others, at once: no event meets some of both. A hook that is in both lists stays, with what
   * it has counted. Those that are taken out end what they keep alive.
   *
   * @throws TenterhookError `duplicate_hook`; then nothing was changed.
   */
  replace(before: readonly PreparedHook[], after: readonly PreparedHook[]): void;
  /** Gives limits and the timeout of hooks that are added from now on; what is left out is as the set was made. */
  configure(options: Pick<HooksOptions, "limits" | "timeout">): void;
  /**
   * Has something done before each event is decided: the event waits for it. Answer nothing when there is nothing to
   * wait for. It must not reject: then the event is not decided, and `fire` rejects.
   *
   * @returns a function that ends this.
   */
  before(task: BeforeEvent): () => void;
  /** Every event this set knows by name: of the table, declared here or in a set that is included. */
  events(): ReadonlyMap<string, EventRow>;
  /** Makes an event of your own known, or says more of an agent's. */
  declare(name: OwnEventName, declaration: EventDeclaration): void;
  /** Asks another set's hooks too, in the place where it is included; its changes are seen at once. */
  include(other: Hooks): this;
  /** Turns hooks of this name on or off, from the next event on. */
  enable(name: string): void;
  disable(name: string): void;
  /** Decides an event. Rejects only when the event itself is wrong. */
  fire<Name extends AnyName>(event: EventInput<Name>, options?: FireOptions): Promise<Decision>;
  /**
   * The same for an event given in parts. Answers at once, with a shared frozen decision, when nobody looks at it.
   *
   * @throws TenterhookError when the event itself is wrong.
   */
  decide(parts: EventParts, options?: FireOptions): Decision | Promise<Decision>;
  /** Decides an event that came from outside the program as data: checked when it comes, not by the compiler. */
  fireUntyped(event: unknown, options?: FireOptions): Promise<Decision>;
  /** Runs a tool of somebody's loop under the hooks. */
  toolCall<Result>(call: ToolCall<Result>): Promise<Result>;
  /** Hears of every hook run from now on. */
  observe(observer: RunObserver): () => void;
  /** Hears of every decision from now on, just before whoever fired the event gets it. */
  observeDecisions(observer: DecisionObserver): () => void;
  /** Resolves when no async hook is running any more. */
  settled(): Promise<void>;
  /** Ends what hooks keep alive between events: processes and connections. They start anew when they are needed. */
  close(): Promise<void>;
  /** All hooks in the order they are asked. */
  list(): readonly Hook[];
  stats(): readonly HookStats[];
  /** True when a hook or an observer could look at such an event now; what is dear to make need not be made otherwise. */
  wants(event: AnyName): boolean;
  /** The ceilings and caps of this set, as they are now. */
  readonly limits: Limits;
}

/** The registry behind a hook set, for include. */
const registries = new WeakMap<Hooks, Registry>();

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
    wallTime: new WallTime(ports.clock),
  };
  if (options.onRun !== undefined) engine.observers.add(options.onRun);

  const rowOf = (event: string): EventRow => {
    const known = registry.find(event);
    if (known === undefined) throw unknownEvent(event, registry.eventNames());
    return known.row;
  };
  const prepare: Hooks["prepare"] = (events, hookOptions, handler) => {
    const { run, type }: { run: unknown; type: unknown } = handler;
    if (typeof run !== "function" || typeof type !== "string") {
      throw new TenterhookError("invalid_option", "A handler needs a type and a function run.");
    }
    const given: unknown = hookOptions;
    if (!isRecord(given))
      throw new TenterhookError("invalid_option", "The options of a hook must be an object.");
    const names: readonly string[] =
      typeof events === "string" ? [events] : Array.isArray(events) ? events : [];
    if (names.length === 0) throw new TenterhookError("invalid_option", "A hook needs at least one event.");
    for (const event of names) rowOf(event);
    const name = hookOptions.name ?? `${names.join("+")}#${registry.nextNumber()}`;
    checkEffects(name, names, handler.effects ?? [], registry);
    return registerHook(
      { name, events: names, options: hookOptions, handler, defaultTimeout: timeout },
      ports,
      rowOf,
    );
  };
  const replace: Hooks["replace"] = (before, after) => {
    for (const { handler } of registry.replace(before, after)) ignore(handler.close?.());
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

  const hooks: Hooks = {
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
    },
    before: (task) => registry.before(task),
    events: () => new Map(registry.eventNames().map((name) => [name, rowOf(name)])),
    declare: (name, declaration) => registry.catalogue.declare(name, declaration),
    include(other) {
      const theirs = registries.get(other);
      if (theirs === undefined)
        throw new TenterhookError("invalid_option", "hooks.include takes a hook set made by createHooks.");
      registry.include(theirs);
      return hooks;
    },
    enable: (name) => registry.setEnabled(name, true),
    disable: (name) => registry.setEnabled(name, false),
    fire: decide,
    decide: (parts, fireOptions = {}) => decideParts(engine, parts, fireOptions),
    fireUntyped: (event, fireOptions = {}) => fire(engine, event, fireOptions),
    toolCall: (call) =>
      toolCall({ fire: decide, idle: (event) => idle(engine, event), clock: ports.clock, here }, call),
    observe: (observer) => engine.observers.add(observer),
    observeDecisions: (observer) => engine.decisionObservers.add(observer),
    settled: () => engine.asyncRuns.settled(),
    get limits() {
      return engine.limits;
    },
    wants: (event) => !engine.decisionObservers.silent || registry.candidates(event, undefined).length > 0,
    close: async () => {
      await Promise.allSettled(registry.all().map(async ({ handler }) => handler.close?.()));
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
  registries.set(hooks, registry);
  return hooks;
}

function secondsOf(timeout: unknown): number {
  if (typeof timeout === "number" && timeout > 0) return timeout;
  throw new TenterhookError(
    "invalid_option",
    `createHooks: timeout is ${timeout}; it must be a number of seconds above 0.`,
  );
}

/** True when nobody could say anything about a tool call; it is counted all the same. */
function idle(
  engine: Engine,
  event: EventInput<"PreToolUse" | "PostToolUse" | "PostToolUseFailure">,
): boolean {
  const { registry, sessions, ports } = engine;
  if (registry.hasTasks()) return false;
  for (const name of ["PreToolUse", "PostToolUse", "PostToolUseFailure"]) {
    if (registry.candidates(name, event.tool_name).length > 0) return false;
  }
  const session = sessions.of(event.session_id);
  if (hasPending(session)) return false;
  const known = registry.find("PreToolUse");
  if (known !== undefined)
    countEvent(
      agentState(session, event.agent_id ?? event.session_id),
      known.row,
      { context: event, fields: event },
      ports.clock.monotonic(),
    );
  return true;
}

/** What is known to be wrong is said now, not when the hook first does it. */
function checkEffects(
  name: string,
  events: readonly string[],
  effects: readonly Effect[],
  registry: Registry,
): void {
  const allowed = events.flatMap((event) => [...(registry.find(event)?.allowed ?? [])]);
  for (const effect of effects) {
    if (allowed.includes(effect)) continue;
    throw new TenterhookError(
      "effect_not_allowed",
      `Hook ${JSON.stringify(name)} has a rule for ${effect}, which ${events.join(" and ")} can't have (only ${[...new Set(allowed)].join(", ")}).`,
    );
  }
}
