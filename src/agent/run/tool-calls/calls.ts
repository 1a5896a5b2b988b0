import type { PersonAnswer } from "../../../core/contracts/approval.ts";
import type { PermissionMode, Tool } from "../../../core/contracts/tool.ts";
import type { ToolInput } from "../../../core/contracts/tool-types.ts";
import type { Decision } from "../../../core/decide/decision.ts";
import type { FireOptions } from "../../../core/decide/fired-event.ts";
import type { RefusedBy } from "../../contracts.ts";
import type { MissingOutcome, ToolCallPart } from "../../messages/messages.ts";

/** A call with the input that PreToolUse hooks leave. */
export interface CheckedCall {
  readonly call: ToolCallPart;
  readonly tool: Tool;
  readonly input: ToolInput;
  readonly firing: FireOptions;
  /** The PreToolUse hooks that matched it. */
  readonly runs: Decision["runs"];
  /** Seconds that hooks give each try of the call. */
  readonly time_limit?: number | undefined;
  /** The result that a hook gave: the tool does not run. */
  readonly answered?: { readonly value: unknown; readonly by: string | undefined } | undefined;
}

/** A call that may run, with the input that every gate has passed. */
export interface PassedCall extends CheckedCall {
  /** The mode in which permissions were asked. */
  readonly mode: PermissionMode;
  /** The memory file that it writes. */
  readonly memory_file?: string | undefined;
  /** What a person has answered about it. */
  readonly approval?: PersonAnswer | undefined;
}

/** A call whose input a human edited: it passes every gate again. */
export interface EditedCall {
  readonly edited: ToolInput;
  readonly approval?: PersonAnswer | undefined;
}

/** A call that will not run, with the reason for the model. */
export interface RefusedCall {
  readonly call: ToolCallPart;
  readonly content: string;
  readonly outcome?: MissingOutcome;
}

export interface Refusal {
  readonly by: RefusedBy;
  readonly reason: string;
  /** What was refused, when a PermissionRequest hook wrote another input. */
  readonly asked?: ToolInput;
  /** What a person has answered about it. */
  readonly approval?: PersonAnswer | undefined;
}
