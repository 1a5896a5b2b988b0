import { TenterhookError } from "../base/errors.ts";
import type { Decision } from "../decide/decision.ts";

/** Thrown by `toolCall` when a hook refused the call or ended the run, or a human refused it. The message says why. */
export class ToolDeniedError extends TenterhookError {
  readonly tool_name: string;
  readonly decision: Decision;
  /** True when the tool had run already, and a hook ended the run after it. */
  readonly ran: boolean;

  constructor(
    tool_name: string,
    decision: Decision,
    options: { readonly cause?: unknown; readonly ran?: boolean; readonly message?: string } = {},
  ) {
    const { message = decision.reason ?? decision.abort?.reason ?? "Tool call denied by hook" } = options;
    super("tool_denied", message, options);
    this.name = "ToolDeniedError";
    this.tool_name = tool_name;
    this.decision = decision;
    this.ran = options.ran ?? false;
  }
}
