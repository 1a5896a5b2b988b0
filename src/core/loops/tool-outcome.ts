import { sameJson } from "../base/json.ts";
import type { ToolOutput } from "../contracts/tool-types.ts";
import type { Decision } from "../decide/decision.ts";
import type { ContextItem, UserMessage } from "../events/outcomes.ts";

/** What came of a tool call, and what hooks said around it. */
export type ToolOutcome<Result = unknown> = {
  /** What hooks add for the model, each once, in order: it belongs after the result. */
  readonly context: readonly ContextItem[];
  /** What hooks tell the user. */
  readonly user_messages: readonly UserMessage[];
} & (
  | { readonly ok: true; readonly result: ToolOutput<Result> }
  | {
      readonly ok: false;
      /** What `toolCall` throws: ToolDeniedError, ToolSuspendedError, the tool's own error … */
      readonly error: unknown;
    }
);

/** Runs a call and collects what its decisions say. */
export async function toolOutcome<Result>(
  run: (onDecision: (decision: Decision) => void) => Promise<ToolOutput<Result>>,
): Promise<ToolOutcome<Result>> {
  const context: ContextItem[] = [];
  const user_messages: UserMessage[] = [];
  const collect = (decision: Decision): void => {
    addNew(context, decision.context);
    addNew(user_messages, decision.user_messages);
  };
  try {
    return { ok: true, result: await run(collect), context, user_messages };
  } catch (error) {
    return { ok: false, error, context, user_messages };
  }
}

/** A call that was edited is judged twice, and hooks say the same again. */
function addNew<Item>(items: Item[], more: readonly Item[]): void {
  for (const item of more) if (!items.some((one) => sameJson(one, item))) items.push(item);
}
