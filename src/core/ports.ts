import type { Effect } from "./effects.ts";
import type { AnyEvent } from "./event-types.ts";
import type { HookContext } from "./hook-context.ts";

/** Time, as the engine needs it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only ever grow, with a fraction. */
  monotonic(): number;
  /** Calls back after a time; answers a function that takes the call back. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Paths, as matchers need them. */
export interface PathNormaliser {
  /**
   * Every absolute spelling of a path that means the same file: `~`, `.` and `..` resolved, and symbolic links
   * followed where they exist. The first is the one without following links.
   */
  spellings(path: string, cwd: string): readonly string[];
}

/** Compiles a regular expression to a test that takes time linear in the text; throws when it can't. */
export type RegexCompiler = (source: string, ignoreCase: boolean) => (text: string) => boolean;

/**
 * Keeps a text that is too long for the model and answers where it is, or `undefined` when it could not be kept. Must
 * not throw.
 */
export type Spill = (
  text: string,
  from: { readonly hook: string; readonly event_id: string },
) => string | undefined;

/** How a hook decides: a function here; rules, commands, models and servers elsewhere. */
export interface Handler {
  /** `function`, `inline`, `command` … as records show it. */
  readonly type: string;
  /** What it may bring about, when that is known: refused at registration where no event of the hook allows it. */
  readonly effects?: readonly Effect[];
  /**
   * Answers nothing, one outcome or several. Throwing or rejecting is a failure of the hook; throw a
   * {@link HookFailureError} to say of which kind.
   */
  run(event: AnyEvent, context: HookContext): unknown;
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
}
