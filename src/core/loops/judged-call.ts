import type { ToolInput } from "../contracts/tool-types.ts";
import type { Decision } from "../decide/decision.ts";
import type { EventContext } from "../events/payloads.ts";

/** A tool call that waits for a human: plain data, to be stored until the answer comes. */
export interface SuspendedCall<Input extends object = ToolInput> {
  /** What `toolCall` was given, without its functions. Give it again, with the answer. */
  readonly call: EventContext & {
    readonly tool_name: string;
    readonly tool_input: Input;
    readonly tool_use_id: string;
  };
  /** What the human is asked about: the input as hooks have left it. */
  readonly tool_input: Input;
  readonly reason?: string;
  /** The hooks that ask. An answer counts for these alone. */
  readonly asked_by: readonly string[];
}

/**
 * A tool call that PreToolUse hooks have judged: plain data, which another process may read from a store that only your
 * program writes. `toolCall` with it runs what was decided, without asking the hooks again.
 */
export interface DecidedCall<Input extends object = ToolInput> extends SuspendedCall<Input> {
  readonly decision: Decision;
  /** True when the call runs only if a human approves it: a hook asks, and nobody has granted this for the session. */
  readonly needs_approval: boolean;
  /** The hooks that could judge a call of this tool. Once there is another, the decision is no longer believed. */
  readonly judges: readonly string[];
}
