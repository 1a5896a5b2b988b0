import type { Decision } from "./decide/decision.ts";
import type { FireOptions } from "./decide/event-scope.ts";
import type { DecisionObserver, RunObserver } from "./decide/observers.ts";
import type { EventName, EventRow, OwnEventName } from "./events/event-table.ts";
import type { EventDeclaration } from "./events/known-events.ts";
import type { EventInput } from "./events/payloads.ts";
import type { Lifecycle } from "./loops/lifecycle.ts";
import type { ToolCall } from "./loops/tool-call.ts";
import type { Handler } from "./ports.ts";
import type { Hook, HookFunction, HookOptions } from "./registration/hook.ts";
import type { Limits } from "./registration/limits.ts";
import type { PreparedHook } from "./registration/registered-hook.ts";
import type { BeforeEvent } from "./registration/registry.ts";

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
