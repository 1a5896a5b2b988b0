import type { ToolInput } from "../core/event-types.ts";
import type { ToolResult } from "../core/tool.ts";

/** A result that came after its call had been answered. */
export interface LateResult {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: ToolInput;
  readonly result: ToolResult;
  /** True when its process ended before it did: what it came to is not known. */
  readonly cut_off?: true;
}

/** Work of tools that goes on beside the loop. */
export interface BackgroundWork {
  /** What is done and has not been told to the model. */
  readonly done: LateResult[];
}

/** Nothing going on. */
export function noBackgroundWork(): BackgroundWork {
  return { done: [] };
}
