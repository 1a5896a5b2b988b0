import type { Decision } from "./decision.ts";
import { TenterhookError } from "./errors.ts";

/** Thrown by `toolCall` when the tool was not run. The message is the hook's reason. */
export class ToolDeniedError extends TenterhookError {
  readonly tool_name: string;
  readonly decision: Decision;

  constructor(tool_name: string, decision: Decision, options?: { readonly cause?: unknown }) {
    super("tool_denied", decision.reason ?? decision.abort?.reason ?? "Tool call denied by hook", options);
    this.name = "ToolDeniedError";
    this.tool_name = tool_name;
    this.decision = decision;
  }
}
