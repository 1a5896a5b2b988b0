import type { DefinitionSite } from "./contracts/definition-site.ts";
import type { ToolFilter, ToolOutput } from "./contracts/tool-types.ts";
import type { Decision } from "./decide/decision.ts";
import type { FireOptions } from "./decide/fired-event.ts";
import type { Observer } from "./decide/observers.ts";
import type { CustomEffect, CustomEvents, CustomEventsOf, CustomFields } from "./events/custom-events.ts";
import type { AnyEventName, OwnEventName } from "./events/event-table.ts";
import type { EventDeclaration } from "./events/known-events.ts";
import type { EventInput } from "./events/payloads.ts";
import type { DecidedCall } from "./loops/judged-call.ts";
import type { Lifecycle } from "./loops/lifecycle.ts";
import type { CallToJudge, ToolCall } from "./loops/tool-call-types.ts";
import type { ToolOutcome } from "./loops/tool-outcome.ts";
import type { Hook } from "./registration/hook.ts";
import type { HookDefinition } from "./registration/hook-definition.ts";
import type { Limits } from "./registration/limits.ts";
import type { PackName, Plugin } from "./registration/plugin.ts";
import type { HookFunction, HookOptions } from "./registration/typed-hook.ts";

/** What `createHooks` takes. */
export interface HooksOptions {
  /** Ceilings and caps that differ from the defaults. */
  readonly limits?: Partial<Limits>;
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
  /** The state of its process or connection. */
  readonly health?: string;
}

/** A set of hooks, and the engine that runs them. `Events` are the custom events that it knows. */
export interface Hooks<out Events extends CustomEventsOf<Events> = CustomEvents> extends Lifecycle {
  /**
   * Adds a function hook for one or several events.
   *
   * @returns a function that removes it again; both take effect at the next event.
   * @throws TenterhookError for an unknown event or option (with a suggestion), a bad pattern, a name twice.
   */
  on<Name extends AnyEventName<Events>>(
    events: Name | readonly Name[],
    run: HookFunction<Name, string, Events>,
  ): () => void;
  on<Name extends AnyEventName<Events>, const Tools extends ToolFilter = string>(
    events: Name | readonly Name[],
    options: HookOptions<Tools>,
    run: HookFunction<Name, Tools, Events>,
  ): () => void;
  /** Sets the limits, and the timeout of hooks added from now on. What you leave out returns to what `createHooks` was given. */
  configure(options: Pick<HooksOptions, "limits" | "timeout">): void;
  /** Declares an event of your own, with effects and fields that its type has; or completes an agent's. */
  declare<
    Name extends OwnEventName<Events>,
    const Allowed extends CustomEffect<Name, Events>,
    const Field extends keyof CustomFields<Name, Events> & string,
  >(name: Name, declaration: EventDeclaration<Allowed, Field>): void;
  /** Runs another set's hooks too, in the place where it is included; its changes take effect immediately. */
  include(other: Hooks): this;
  /** Turns hooks of this name on or off, from the next event on. */
  enable(name: string): void;
  disable(name: string): void;
  /** Decides an event. Rejects only when the event itself is wrong. */
  fire<Name extends AnyEventName<Events>>(
    event: EventInput<Name, Events>,
    options?: FireOptions,
  ): Promise<Decision>;
  /** Decides an event that came from outside the program as data: checked when it comes, not by the compiler. */
  fireUntyped(event: unknown, options?: FireOptions): Promise<Decision>;
  /** Runs a tool of your own loop under the hooks. Throws when it is refused or fails. */
  toolCall<Input extends object, Result>(call: ToolCall<Input, Result>): Promise<ToolOutput<Result>>;
  /** The same for loops that give the model what hooks add: returns result or error with it, and never rejects. */
  tryToolCall<Input extends object, Result>(call: ToolCall<Input, Result>): Promise<ToolOutcome<Result>>;
  /**
   * Has the PreToolUse hooks judge a call before it runs, once: for loops that ask a human between the two, or store the
   * call while it waits.
   *
   * @returns plain data; give it to `toolCall` as `decided`.
   * @throws TenterhookError `invalid_event` when the input has no JSON form.
   * @example
   * const decided = await hooks.decide({ tool_name, tool_input });
   * const approval = decided.needs_approval ? await askHuman(decided.reason) : undefined;
   * await hooks.toolCall({ ...decided.call, decided, approval, execute });
   */
  decide<Input extends object>(call: CallToJudge<Input>): Promise<DecidedCall<Input>>;
  /**
   * Notifies the observer of runs and decisions from now on. It can't change them.
   *
   * @returns a function that removes it again.
   */
  observe(observer: Observer): () => void;
  /** Resolves when no async hook is running any more. */
  settled(): Promise<void>;
  /** Ends the processes and connections of hooks. They start again when they are needed. */
  close(): Promise<void>;
  /** All hooks in the order they are asked. */
  list(): readonly Hook[];
  stats(): readonly HookStats[];
  /** The ceilings and caps of this set, as they are now. */
  readonly limits: Limits;
}

/** What a hook set can do once it knows the handlers that files name. */
export interface DefinedHooks<out Events extends CustomEventsOf<Events> = CustomEvents>
  extends Hooks<Events> {
  /**
   * Adds a hook as a configuration file holds it: `{ name, type: "inline", matcher: { events, … }, rules, … }`. Scripts
   * and relative commands start from `site.root`, by default the folder this process works in.
   *
   * @returns a function that removes it again; both take effect at the next event.
   * @throws TenterhookError that names the hook and what is wrong with it.
   */
  add(definition: HookDefinition, site?: DefinitionSite): Promise<() => void>;
  /**
   * Adds packs that ship with the package (`safe-shell`, `protect-secrets`, `git-safety`, `no-network`) and plug-ins. All of
   * them or, when one can't be had, none. What is there already is not added twice.
   *
   * @returns a function that removes what this call added.
   * @throws TenterhookError `unknown_pack` with the nearest name; what is wrong with a plug-in or one of its hooks.
   */
  use(...packs: readonly (PackName | Plugin)[]): Promise<() => void>;
}
