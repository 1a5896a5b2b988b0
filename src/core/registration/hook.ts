import type { FailureKind, FailureMode } from "../events/effects.ts";
import type { EffectOf, EventName, OwnEventName } from "../events/event-table.ts";
import type { Outcome } from "../events/outcomes.ts";
import type { HookEvent } from "../events/payloads.ts";
import type { HookContext } from "../ports.ts";
import type { Matcher } from "./matcher.ts";

/** Where hooks come from, in the order they are asked when their priority is the same. */
export const SCOPES = ["managed", "user", "project", "local", "code"] as const;

/** The priority of a hook that names none. Lower is asked first. */
export const USUAL_PRIORITY = 100;

/** Where a hook comes from. */
export interface Origin {
  readonly scope?: (typeof SCOPES)[number];
  readonly file?: string;
  readonly line?: number;
}

/** What failing means: one mode for every kind, or a mode by kind with `default` for the others. */
export type FailurePolicy = FailureMode | Readonly<Partial<Record<FailureKind | "default", FailureMode>>>;

/** How a hook takes part, beside what it does. */
export interface HookSettings {
  /** Unique in its set. Made from the event when not given. */
  readonly name?: string;
  /** What it is for. */
  readonly description?: string;
  /** Lower is asked first. Default 100. */
  readonly priority?: number;
  /** Seconds. Default: the set's, 30. A synchronous function can't be interrupted. */
  readonly timeout?: number;
  /** Default: closed on gates, open elsewhere. */
  readonly on_failure?: FailurePolicy;
  /** The hook sees the event and can never decide; its failure is always open. */
  readonly observe?: boolean;
  /** Runs together with the parallel hooks next to it, on the same input. */
  readonly parallel?: boolean;
  /** Runs beside everything; can add context later, never decides. */
  readonly async?: boolean;
  /** Runs on the first matching event of each kind in a session, and never again. */
  readonly once?: boolean;
  /** False: not asked again about an input that other hooks rewrote; its author vouches for it. */
  readonly recheck?: boolean;
  /** Default true. */
  readonly enabled?: boolean;
  /** Where it comes from, when not from code. */
  readonly origin?: Origin;
}

/** Everything `hooks.on` takes: settings, and matcher fields either beside them or under `matcher`. */
export interface HookOptions extends HookSettings, Matcher {
  readonly matcher?: Matcher;
}

/** The outcomes an event allows. */
export type OutcomeOf<Name extends string> = Extract<Outcome, { readonly type: EffectOf<Name> }>;

type Reply<Name extends string> =
  | OutcomeOf<Name>
  | readonly (OutcomeOf<Name> | undefined | null)[]
  | undefined
  | null
  | void;

/** A hook written as a function. It says nothing, one thing or several, at once or later. */
export type HookFunction<Name extends string = EventName | OwnEventName> = (
  event: HookEvent<Name>,
  context: HookContext,
) => Reply<Name> | Promise<Reply<Name>>;

/** A hook as `hooks.list()` shows it. */
export interface Hook extends Required<Omit<HookSettings, "description" | "on_failure" | "origin">> {
  readonly description?: string;
  readonly events: readonly string[];
  readonly matcher: Matcher;
  /** The handler's type. */
  readonly handler: string;
  /** As given; absent: closed on gates, open elsewhere. */
  readonly on_failure?: FailurePolicy;
  readonly origin: Origin & { readonly scope: (typeof SCOPES)[number] };
  /** Why it will fail for certain. */
  readonly problem?: string;
}
