import type { Clock } from "./base/clock.ts";
import type { Effect } from "./events/effects.ts";
import type { Outcome } from "./events/outcomes.ts";
import type { AnyEvent } from "./events/payloads.ts";
import type { PathNormaliser } from "./match/paths.ts";
import type { RegexCompiler } from "./match/tool-names.ts";

/**
 * Stores a text that is too long for the model and returns where, or `undefined` when it could not be stored. Must not
 * throw.
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
  /** The file that carries variables from hook to hook and to Bash; made when it is first asked for. */
  readonly env_file?: string | undefined;
}

/** What a handler can report about a run in addition to its answer. */
export interface RunFacts {
  /** How its program ended. */
  readonly exit_code?: number;
  /** True when the answer came from a cache. */
  readonly cached?: true;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
  /** What a model decided that the hook asked, where the answer alone does not say that there was a verdict. */
  readonly verdict?: { readonly ok: boolean; readonly reason?: string };
  /** The inline rule that decided: its place among the hook's rules, its text and, if it came from text, its line. */
  readonly rule?: RuleFact;
  /** What a shadow rule of the hook would have done. */
  readonly would?: { readonly outcome: Outcome; readonly rule: RuleFact };
}

interface RuleFact {
  readonly index: number;
  readonly source: string;
  readonly line?: number;
}

/** What a hook gets with the event. */
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
  /** What a foreign agent sent, as text: the event is made from it. */
  readonly payload?: string | undefined;
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
  /** The tools that its rules name. */
  readonly tools?: readonly string[];
  /** Why it will certainly fail (no key, no such file). Adding the hook succeeds; `hooks.list()` shows the problem. */
  readonly problem?: string | undefined;
  /**
   * True when its answer settles soon after its signal is aborted, once everything it started has ended. The engine
   * waits for that, for a limited time, before the hook counts as timed out.
   */
  readonly tidies?: true;
  /**
   * Returns nothing, one outcome or several. Throwing or rejecting is a failure of the hook; throw a
   * {@link HookFailureError} to give its kind.
   */
  run(event: AnyEvent, context: HookContext): unknown;
  /** The state of its process or connection, in a few words, for `hooks.stats()`. */
  health?(): string;
  /**
   * Ends its process or connection once the current runs have answered. Called when its hook is removed and by
   * `hooks.close()`; a later run starts it again.
   */
  close?(): unknown;
}

/** A test of an event. */
export type Predicate = (event: AnyEvent) => boolean;

/** A matcher field that looks inside a call, made ready. */
export interface Condition {
  readonly test: Predicate;
  /** Resolves when `test` may be asked; events wait for it. A rejection is a failure of the hook. */
  readonly ready?: Promise<void>;
  /** An allow of the hook counts only for events of which this is true. */
  readonly covers?: Predicate;
}

/** Compiles the matcher fields that look inside a call; provided by the rules. */
export interface ConditionCompiler {
  when(condition: unknown): Condition;
  commandPatterns(patterns: readonly string[]): Condition;
}

/** A call that its PreToolUse hooks have let pass, with its final input. */
export type LockedCall = Pick<AnyEvent, "session_id" | "cwd"> & {
  readonly agent_id?: string | undefined;
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
};

/**
 * Takes the locks that hooks want for a call; waits for each at most for the hook's timeout. Resolves with what releases them, or with
 * the sentence that refuses the call. Rejects with the reason of the signal alone.
 */
export type Lock = (
  hooks: readonly { readonly name: string; readonly locks?: string; readonly timeout: number }[],
  call: LockedCall,
  signal: AbortSignal,
) => Promise<(() => void) | string>;

/** What the engine needs from outside. */
export interface Ports {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly paths: PathNormaliser;
  readonly regex?: RegexCompiler;
  readonly spill?: Spill;
  readonly conditions?: ConditionCompiler;
  readonly lock?: Lock;
  /** The folder of events that name none. Default `/`. */
  readonly cwd?: () => string;
}
