import type { Clock } from "./base/clock.ts";
import type { Effect } from "./events/effects.ts";
import type { AnyEvent } from "./events/payloads.ts";
import type { RegexCompiler } from "./match/names.ts";
import type { PathNormaliser } from "./match/paths.ts";

/**
 * Keeps a text that is too long for the model and answers where it is, or `undefined` when it could not be kept. Must
 * not throw.
 */
export type Spill = (
  text: string,
  from: { readonly hook: string; readonly event_id: string },
) => string | undefined;

/** What a hook may know of the agent that fired the event, inside the runtime. */
export interface AgentView {
  readonly id: string;
  readonly type: string;
  readonly model?: string;
  readonly messages?: readonly unknown[];
}

/** What a handler can tell of a run, beside what the hook said. */
export interface RunFacts {
  /** How its program ended. */
  readonly exit_code?: number;
  /** True when the answer was kept from an earlier run. */
  readonly cached?: true;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
}

/** What a hook gets beside the event. */
export interface HookContext {
  /** Aborted when the hook runs out of time or the run is cancelled. Made when it is first asked for. */
  readonly signal: AbortSignal;
  /** One map shared by all hooks of a run. */
  readonly values: Map<string, unknown>;
  /** The agent, inside the runtime. */
  readonly agent?: AgentView | undefined;
  /** The tool's definition, inside the runtime. */
  readonly tool?: unknown;
  /** True when the hook is asked about the final input after a rewrite: only what it says about the call counts. */
  readonly recheck?: true | undefined;
  /** Shows a piece of live output to observers while the hook runs. */
  readonly output: (text: string, stream?: "stdout" | "stderr") => void;
  /** Adds facts to the record of this run. */
  readonly record: (facts: RunFacts) => void;
}

/** How a hook decides: a function here; rules, commands, models and servers elsewhere. */
export interface Handler {
  /** `function`, `inline`, `command` … as records show it. */
  readonly type: string;
  /** What it may bring about, when that is known: refused at registration where no event of the hook allows it. */
  readonly effects?: readonly Effect[];
  /** Why it will fail for certain (no key, no such file): said when the hook is added, which succeeds. */
  readonly problem?: string;
  /**
   * True when its answer settles soon after the signal was aborted, once everything it started has ended. The engine
   * waits for that, within bounds, before it says that the hook ran out of time.
   */
  readonly tidies?: true;
  /**
   * Answers nothing, one outcome or several. Throwing or rejecting is a failure of the hook; throw a
   * {@link HookFailureError} to say of which kind.
   */
  run(event: AnyEvent, context: HookContext): unknown;
  /** How what it keeps alive is doing, in a few words, for `hooks.stats()`. */
  health?(): string;
  /**
   * Ends what it keeps alive between events (a process, a connection) once the runs under way have answered. Called
   * when its hook is removed and by `hooks.close()`; a run after that starts what it needs anew.
   */
  close?(): unknown;
}

/** A question about an event. */
export type Predicate = (event: AnyEvent) => boolean;

/** A matcher field that looks inside a call, made ready. */
export interface Condition {
  readonly test: Predicate;
  /** Resolves when `test` may be asked; events wait for it. A rejection is a failure of the hook. */
  readonly ready?: Promise<void>;
  /** An allow of the hook counts only for events of which this is true. */
  readonly covers?: Predicate;
}

/** Compiles the matcher fields that look inside a call; brought by the rules. */
export interface ConditionCompiler {
  when(condition: unknown): Condition;
  commandPatterns(patterns: readonly string[]): Condition;
}

/** What the engine needs from outside. */
export interface Ports {
  readonly clock: Clock;
  /** A new event id. */
  readonly newId: () => string;
  readonly paths: PathNormaliser;
  readonly regex?: RegexCompiler;
  readonly spill?: Spill;
  readonly conditions?: ConditionCompiler;
  /** The folder of events that name none. Default `/`. */
  readonly cwd?: () => string;
}
