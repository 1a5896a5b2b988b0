import { checkKeys, checkSeconds } from "./base/check-options.ts";
import { idSequence, systemClock } from "./base/clock.ts";
import { fromCaller, TenterhookError } from "./base/errors.ts";
import { isRecord } from "./base/json.ts";
import type { ToolFilter, ToolOutput } from "./contracts/tool-types.ts";
import type { Decision } from "./decide/decision.ts";
import { fire } from "./decide/fire.ts";
import type { Engine, FireOptions } from "./decide/fired-event.ts";
import type { DecisionObserver, Observer, RunObserver } from "./decide/observers.ts";
import type { CustomEvents, CustomEventsOf } from "./events/custom-events.ts";
import type { AnyEventName, OwnEventName } from "./events/event-table.ts";
import type { EventDeclaration } from "./events/known-events.ts";
import type { EventInput } from "./events/payloads.ts";
import type { HookStats, Hooks, HooksOptions } from "./hooks.ts";
import { HookInternals, INTERNALS, internals } from "./internals.ts";
import type { CallDefaults } from "./loops/call-parts.ts";
import { decideCall } from "./loops/decided-call.ts";
import type { DecidedCall } from "./loops/judged-call.ts";
import {
  type ErrorInput,
  errorEvent,
  type LifecycleInput,
  type Session,
  startSession,
} from "./loops/lifecycle.ts";
import { toolCall } from "./loops/tool-call.ts";
import type { CallToJudge, ToolCall } from "./loops/tool-call-types.ts";
import { type ToolOutcome, toolOutcome } from "./loops/tool-outcome.ts";
import { lexicalPaths } from "./match/paths.ts";
import type { Ports } from "./ports.ts";
import type { Hook } from "./registration/hook.ts";
import { completeLimits, type Limits } from "./registration/limits.ts";
import { closeHook } from "./registration/prepare-hook.ts";
import { withToolNames } from "./registration/tool-filter.ts";
import type { HookFunction, HookOptions } from "./registration/typed-hook.ts";
import { Sessions } from "./session/state.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;

/** Ports that need nothing from outside. */
export function defaultPorts(): Ports {
  return { clock: systemClock, newId: idSequence(systemClock.now()), paths: lexicalPaths };
}

/**
 * Makes a hook set.
 *
 * @throws TenterhookError for unknown options or limits.
 */
export function createHooks<Events extends CustomEventsOf<Events> = CustomEvents>(
  options: HooksOptions = {},
  ports: Ports = defaultPorts(),
): Hooks<Events> {
  return fromCaller(createHooks, () => {
    checkKeys(options, ["limits", "timeout"], "createHooks");
    return new HookSet(options, ports);
  });
}

/** A set of hooks and its engine. Users may take methods out of a set or copy it, so all methods are bound. */
class HookSet<Events extends CustomEventsOf<Events>> implements Hooks<Events> {
  readonly [INTERNALS]: HookInternals;
  limits: Limits;
  readonly #engine: Engine;
  readonly #options: HooksOptions;
  /** The session of tool calls that name none. */
  #ownSession: string | undefined;

  constructor(options: HooksOptions, ports: Ports) {
    this.#options = options;
    const observers = new Set<RunObserver>();
    const decisionObservers = new Set<DecisionObserver>();
    const observed = { runs: observers, decisions: decisionObservers };
    this[INTERNALS] = new HookInternals(ports, observed, secondsOf(options.timeout));
    this.limits = completeLimits(options.limits);
    bindMethods(this);
    this.#engine = {
      registry: this[INTERNALS].registry,
      sessions: new Sessions(),
      observers,
      decisionObservers,
      ports,
      limits: this.limits,
      background: this[INTERNALS].background,
      fire: this.fireUntyped,
    };
  }

  on<Name extends AnyEventName<Events>, const Tools extends ToolFilter>(
    events: Name | readonly Name[],
    second: HookOptions<Tools> | HookFunction<Name, Tools, Events>,
    third?: HookFunction<Name, Tools, Events>,
  ): () => void {
    const run = typeof second === "function" ? second : third;
    if (typeof run !== "function")
      throw new TenterhookError("invalid_option", "hooks.on needs a function as its last argument.");
    if (isRecord(second))
      checkSeconds(second.timeout, `hooks.on (${second.name ?? "a hook without a name"})`);
    const options = typeof second === "function" ? {} : withToolNames(second);
    return this[INTERNALS].register(events, options, { type: "function", run });
  }

  configure(given: Pick<HooksOptions, "limits" | "timeout">): void {
    checkKeys(given, ["limits", "timeout"], "hooks.configure");
    const limits = completeLimits({ ...this.#options.limits, ...given.limits });
    this[INTERNALS].timeout = secondsOf(given.timeout ?? this.#options.timeout);
    this.limits = limits;
    this.#engine.limits = limits;
  }

  declare(name: OwnEventName<Events>, declaration: EventDeclaration): void {
    this.#engine.registry.declare(name, declaration);
  }

  include(other: Hooks): this {
    this.#engine.registry.include(internals(other).registry);
    return this;
  }

  enable(name: string): void {
    this.#engine.registry.setEnabled(name, true);
  }

  disable(name: string): void {
    this.#engine.registry.setEnabled(name, false);
  }

  fire<Name extends AnyEventName<Events>>(
    event: EventInput<Name, Events>,
    options: FireOptions = {},
  ): Promise<Decision> {
    const isPlaced = !isRecord(event) || event.cwd !== undefined;
    return fire(this.#engine, isPlaced ? event : { ...event, cwd: this.#cwd() }, options);
  }

  fireUntyped(event: unknown, options: FireOptions = {}): Promise<Decision> {
    return fire(this.#engine, event, options);
  }

  async decide<Input extends object>(call: CallToJudge<Input>): Promise<DecidedCall<Input>> {
    return decideCall(this.#engine, this.#callDefaults(), call);
  }

  async toolCall<Input extends object, Result>(call: ToolCall<Input, Result>): Promise<ToolOutput<Result>> {
    return toolCall(this.#engine, this.#callDefaults(), call);
  }

  tryToolCall<Input extends object, Result>(call: ToolCall<Input, Result>): Promise<ToolOutcome<Result>> {
    return toolOutcome((onDecision) => toolCall(this.#engine, this.#callDefaults(), call, onDecision));
  }

  #callDefaults(): CallDefaults {
    this.#ownSession ??= this.#engine.ports.newId();
    return { session_id: this.#ownSession, cwd: this.#cwd() };
  }

  #cwd(): string {
    return this.#engine.ports.cwd?.() ?? "/";
  }

  session(input: LifecycleInput<"SessionStart">, options?: FireOptions): Promise<Session> {
    return startSession(this.fire, this.#engine.ports.clock, input, options);
  }

  error(input: ErrorInput, options?: FireOptions): Promise<Decision> {
    return this.fire(errorEvent(input), options);
  }

  checkpoint(input: LifecycleInput<"Checkpoint">, options?: FireOptions): Promise<Decision> {
    return this.fire({ ...input, hook_event_name: "Checkpoint" }, options);
  }

  modelSwitch(input: LifecycleInput<"ModelSwitch">, options?: FireOptions): Promise<Decision> {
    return this.fire({ ...input, hook_event_name: "ModelSwitch" }, options);
  }

  memoryUpdate(input: LifecycleInput<"MemoryUpdate">, options?: FireOptions): Promise<Decision> {
    return this.fire({ ...input, hook_event_name: "MemoryUpdate" }, options);
  }

  observe(observer: Observer): () => void {
    checkKeys(observer, ["onRun", "onDecision"], "hooks.observe: the observer");
    const { onRun, onDecision } = observer;
    const { observers, decisionObservers } = this.#engine;
    const offs = [
      ...(onRun === undefined ? [] : [addTo(observers, onRun)]),
      ...(onDecision === undefined ? [] : [addTo(decisionObservers, onDecision)]),
    ];
    return () => {
      for (const off of offs) off();
    };
  }

  async settled(): Promise<void> {
    const { background } = this.#engine;
    while (background.size > 0) await Promise.all(background);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#engine.registry.all().map(closeHook));
  }

  list(): readonly Hook[] {
    return this.#engine.registry.all().map(({ hook, enabled, handler: { problem } }) => ({
      ...hook,
      enabled,
      problem,
    }));
  }

  stats(): readonly HookStats[] {
    return this.#engine.registry.all().map(({ hook, enabled, counters, handler }) => {
      const health = handler.health?.();
      return {
        name: hook.name,
        enabled,
        ...counters,
        mean_ms: counters.runs === 0 ? 0 : counters.total_ms / counters.runs,
        health,
      };
    });
  }
}

function addTo<Item>(items: Set<Item>, item: Item): () => void {
  items.add(item);
  return () => {
    items.delete(item);
  };
}

/** The methods whose errors begin their stack at the user's call. */
const CHECKS_INPUT: ReadonlySet<string> = new Set<keyof Hooks>([
  "on",
  "configure",
  "declare",
  "include",
  "enable",
  "disable",
]);

function checked(method: (...args: unknown[]) => unknown): unknown {
  const called = (...args: unknown[]): unknown => fromCaller(called, () => method(...args));
  return called;
}

function bindMethods(object: object): void {
  const prototype: object = Object.getPrototypeOf(object);
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method: unknown = Reflect.get(prototype, name);
    if (name === "constructor" || typeof method !== "function") continue;
    const bound = method.bind(object);
    Object.assign(object, { [name]: CHECKS_INPUT.has(name) ? checked(bound) : bound });
  }
}

function secondsOf(timeout: unknown = DEFAULT_TIMEOUT_SECONDS): number {
  checkSeconds(timeout, "createHooks");
  if (typeof timeout === "number" && timeout > 0) return timeout;
  throw new TenterhookError(
    "invalid_option",
    `createHooks: timeout is ${timeout}; it must be a number of seconds above 0.`,
  );
}
