import { sameJson } from "../base/json.ts";
import type { ToolInput } from "../contracts/tool-types.ts";
import type { Action, FailureKind } from "../events/effects.ts";
import type { ContextItem, NativeKeys, UserMessage } from "../events/outcomes.ts";
import type { Message } from "../events/payloads.ts";
import type { RunFacts } from "../ports.ts";
import type { Ceiling } from "../session/ceilings.ts";

/** Text of a hook that joins or starts a turn. */
export interface HookInput {
  readonly hook: string;
  readonly text: string;
}

/** How a hook failed. */
export interface HookFailure {
  readonly kind: FailureKind;
  readonly message: string;
}

/** What one hook answered, as plain data. */
export interface HookOutcome {
  readonly action: Action;
  readonly reason?: string;
  /** The labels of the options that it asked with. */
  readonly options?: readonly string[];
  readonly rewrite?: true;
  readonly context?: readonly string[];
  readonly user_messages?: readonly string[];
  readonly keep_going?: string;
  readonly answer?: unknown;
  readonly time_limit?: number;
  readonly retry?: true;
  readonly hook_inputs?: readonly string[];
  readonly abort?: true;
  readonly native?: NativeKeys;
}

/** The record of one hook on one event. */
export interface HookRun extends Omit<RunFacts, "would"> {
  readonly name: string;
  /** The handler's type: `function`, `inline`, `command` … */
  readonly handler: string;
  readonly event_id: string;
  /** ISO time. */
  readonly started_at: string;
  readonly duration_ms: number;
  /** What the hook answered; absent for nothing. */
  readonly outcome?: HookOutcome;
  readonly failure?: HookFailure;
  /** True for a hook with `mode: shadow`: whatever it says and however it fails changes nothing. */
  readonly shadow?: true;
  /** What a shadow hook would have done; of another hook, what a shadow rule of it would have done. */
  readonly would?: HookOutcome & Pick<RunFacts, "rule">;
  /** True when the hook was asked about the final input after a rewrite. */
  readonly recheck?: true;
  /** True for an async hook: the decision says that it was started, observers are notified of its end. */
  readonly async?: true;
  /** Set when the hook matched but never began, because the run or the plan ended before its turn. */
  readonly skipped?: "abort" | "cancelled" | "short_circuit";
  readonly input_before?: unknown;
  readonly input_after?: unknown;
}

/** What the hooks of one event decided together. */
export interface Decision {
  readonly action: Action;
  /** The reasons for the action, in hook order, one a line. */
  readonly reason?: string;
  /** The rewritten tool input (PreToolUse, PermissionRequest). Frozen, like every rewritten value. */
  readonly input?: ToolInput;
  /** The rewritten tool response (PostToolUse). */
  readonly output?: unknown;
  /** The rewritten error text (PostToolUseFailure). */
  readonly error?: string;
  readonly prompt?: string;
  /** The rewritten answer (PostGeneration). */
  readonly result?: string;
  readonly request?: Readonly<Record<string, unknown>>;
  readonly system_prompt?: string;
  readonly messages?: readonly Message[];
  readonly context: readonly ContextItem[];
  readonly user_messages: readonly UserMessage[];
  /** The agent must not stop; the reason is its next input. */
  readonly keep_going?: { readonly reason: string };
  /** What a hook answered: the result of a call that is not to run (PreToolUse), or what a human was asked (AgentPrompt). */
  readonly answer?: unknown;
  /** Seconds that each try of the call may take: the shortest limit of the hooks (PreToolUse). */
  readonly time_limit?: number;
  /** What failed is to be tried again (Error). */
  readonly retry?: { readonly reason?: string | undefined; readonly times?: number };
  readonly hook_inputs: readonly HookInput[];
  /** The limit that did not let hooks keep the agent going, start turns or try again, and the sentence that says so. */
  readonly ceiling?: Ceiling;
  /** The run must end. */
  readonly abort?: { readonly reason?: string };
  /** Parts of a reply that only the agent which sent the event understands. */
  readonly native?: NativeKeys;
  /** One record for each hook that matched, in order. */
  readonly runs: readonly HookRun[];
}

export function answeringHook({ answer, runs }: Pick<Decision, "answer" | "runs">): string | undefined {
  return runs.find(({ outcome, shadow }) => shadow !== true && sameJson(outcome?.answer, answer))?.name;
}

/** The hooks that may want a human asked, as grants name them: a failed one may do so too. */
export function askingHooks(runs: readonly HookRun[]): readonly string[] {
  return runs
    .filter(({ outcome, failure }) => outcome?.action === "ask" || failure !== undefined)
    .map(({ name }) => `hook ${name}`);
}
