import { ignore } from "./base/error-text.ts";
import { TenterhookError } from "./base/errors.ts";
import { isRecord } from "./base/json.ts";
import type { DefinitionSite } from "./contracts/definition-site.ts";
import type { Decision } from "./decide/decision.ts";
import { type DecisionObserver, notify, type RunEvent, type RunObserver } from "./decide/observers.ts";
import type { EventRow } from "./events/event-row.ts";
import type { EventName, OwnEventName } from "./events/event-table.ts";
import { takeLocks } from "./loops/locks.ts";
import type { Handler, LockedCall, Ports } from "./ports.ts";
import type { NamedToolOptions } from "./registration/hook.ts";
import type { WrittenDefinition } from "./registration/hook-definition.ts";
import { closeHook, prepareHook, rowOf } from "./registration/prepare-hook.ts";
import type { PreparedHook } from "./registration/registered-hook.ts";
import { type BeforeEvent, Registry } from "./registration/registry.ts";

/** The key of a set's internals. A copy of a set has them, too. */
export const INTERNALS = Symbol("tenterhook.internals");

/** Makes hooks of definitions, as configuration files contain them. */
export interface DefinitionPort {
  /** @throws TenterhookError as `hooks.add` does, but for a name that is taken. */
  prepare(definition: WrittenDefinition, site: DefinitionSite): Promise<PreparedHook>;
  /** True when definitions of this type can be prepared. */
  handles(type: string): Promise<boolean>;
}

/** For a set of `tenterhook/core`, whose hooks are functions. */
const NO_DEFINITIONS: DefinitionPort = {
  prepare: async ({ name, type }) => {
    throw new TenterhookError(
      "invalid_definition",
      `Hook ${JSON.stringify(name)}: this set has no handler of the type ${JSON.stringify(type)}. Make it by createHooks of "tenterhook".`,
    );
  },
  handles: async () => false,
};

interface Observers {
  readonly runs: ReadonlySet<RunObserver>;
  readonly decisions: ReadonlySet<DecisionObserver>;
}

/** What the parts of this package need of a hook set and users do not. It can change with any version. */
export class HookInternals {
  readonly registry = new Registry();
  /** What runs although its event was decided: async hooks above all. */
  readonly background = new Set<Promise<void>>();
  definitions = NO_DEFINITIONS;
  /** Seconds for hooks that have no timeout of their own. */
  timeout: number;
  readonly #ports: Ports;
  readonly #observers: Observers;

  constructor(ports: Ports, observers: Observers, timeout: number) {
    this.#ports = ports;
    this.#observers = observers;
    this.timeout = timeout;
  }

  /** Adds a hook with any handler; `hooks.on` does so with a function. */
  register(events: string | readonly string[], options: NamedToolOptions, handler: Handler): () => void {
    const hook = this.prepare(events, options, handler);
    this.replace([], [hook]);
    return () => this.replace([hook], []);
  }

  /**
   * Prepares a hook without adding it.
   *
   * @throws TenterhookError as `hooks.on` does, but for a name that is taken.
   */
  prepare(events: string | readonly string[], options: NamedToolOptions, handler: Handler): PreparedHook {
    const defaultTimeout = this.timeout;
    return prepareHook(this.registry, this.#ports, { events, options, handler, defaultTimeout });
  }

  /**
   * Removes hooks and adds others in one step: no event sees a mix. A hook in both lists stays, with its statistics.
   * Removed hooks end their processes and connections.
   *
   * @throws TenterhookError `duplicate_hook`; then nothing was changed.
   */
  replace(before: readonly PreparedHook[], after: readonly PreparedHook[]): void {
    for (const hook of this.registry.replace(before, after)) ignore(closeHook(hook));
  }

  /**
   * Runs a task before each event, which waits for it. The task returns nothing when there is nothing to wait for. It
   * must not reject: then the event is not decided, and `fire` rejects.
   *
   * @returns a function that removes the task.
   */
  before(task: BeforeEvent): () => void {
    return this.registry.before(task);
  }

  /** Takes the locks of the hooks that have judged a call: see {@link takeLocks}. */
  takeLocks(decision: Pick<Decision, "runs">, call: LockedCall, signal: AbortSignal) {
    return takeLocks({ registry: this.registry, ports: this.#ports }, decision, call, signal);
  }

  /** Notifies observers of a run that is none of this set's hooks: of a program around a turn. */
  notifyOfRun(event: RunEvent): void {
    notify(this.#observers.runs, event);
  }

  /** Every event this set knows: of the table, declared here or in an included set. */
  events(): ReadonlyMap<string, EventRow> {
    return new Map(this.registry.eventNames().map((name) => [name, rowOf(this.registry, name)]));
  }

  /**
   * True when a hook or an observer listens to such an event now. Ask before you build an event that is expensive to
   * make. With the name of a tool: when a hook could decide about an event of this tool.
   */
  wants(event: EventName | OwnEventName, tool?: string): boolean {
    if (tool !== undefined)
      return this.registry.candidates(event, tool).some(({ hook }) => !hook.observe && !hook.async);
    // A task before the event may add hooks for it.
    return this.#observers.decisions.size > 0 || this.registry.hasTasks() || this.registry.hears(event);
  }
}

/**
 * The internals of a hook set, for code that extends the engine. They can change with any version.
 *
 * @throws TenterhookError `invalid_option` for anything but a hook set made by `createHooks`, or a copy of one.
 */
export function internals(hooks: object): HookInternals {
  const found: unknown = isRecord(hooks) ? Reflect.get(hooks, INTERNALS) : undefined;
  if (found instanceof HookInternals) return found;
  throw new TenterhookError("invalid_option", "This takes a hook set made by createHooks.");
}
