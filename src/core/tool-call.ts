import type { Decision } from "./decision.ts";
import type { EventContext, EventInput, ToolInput } from "./event-types.ts";
import type { FireOptions } from "./fire-scope.ts";
import { frozenJson, isRecord, thawedCopy } from "./json.ts";
import { ToolDeniedError } from "./tool-denied-error.ts";

type ToolEvent = "PreToolUse" | "PostToolUse" | "PostToolUseFailure";

/** A tool call of somebody's loop, to be run under the hooks. */
export type ToolCall<Result> = EventContext &
  FireOptions & {
    readonly tool_name: string;
    readonly tool_input: ToolInput;
    readonly tool_use_id?: string;
    /** Runs the tool. The input is what the hooks made of it, and may be changed freely. */
    readonly execute: (
      input: Record<string, unknown>,
      context: { readonly signal: AbortSignal },
    ) => Result | Promise<Result>;
    /** Asks a human when a hook wants one asked. Not given, or anything but true: not granted. */
    readonly approve?: (decision: Decision, input: ToolInput) => boolean | Promise<boolean>;
    /** Hears every decision of this call: the way to the context and the messages beside the verdict. */
    readonly onDecision?: (decision: Decision, event: ToolEvent) => void;
  };

/** The part of a hook set a tool call needs. */
export interface ToolCallHooks {
  fire(event: EventInput<ToolEvent>, options?: FireOptions): Promise<Decision>;
  /** True when no hook could match any event of this tool; counts the call for the ceilings. */
  idle(event: EventInput<ToolEvent>): boolean;
}

let neverAborted: AbortSignal | undefined;

/** The signal of a call that nobody can cancel; made with the first such call. */
function noSignal(): AbortSignal {
  neverAborted ??= new AbortController().signal;
  return neverAborted;
}

/**
 * Runs a tool under the hooks: PreToolUse, the tool, PostToolUse or PostToolUseFailure.
 *
 * @returns the tool's result, or what a PostToolUse hook made of it.
 * @throws ToolDeniedError when a hook denies the call or ends the run, or asks and nobody grants it.
 * @throws what the tool throws.
 */
export async function toolCall<Result>(hooks: ToolCallHooks, call: ToolCall<Result>): Promise<Result> {
  const { execute, approve, onDecision, signal = noSignal(), values, agent, tool, ...event } = call;
  const pre: EventInput<"PreToolUse"> = { ...event, hook_event_name: "PreToolUse" };
  if (hooks.idle(pre)) return execute(asGiven(call.tool_input), { signal });
  const options = {
    signal,
    ...(values && { values }),
    ...(agent && { agent }),
    ...(tool !== undefined && { tool }),
  };
  const judged = snapshot(call.tool_input);

  const decision = await hooks.fire(judged === undefined ? pre : { ...pre, tool_input: judged }, options);
  onDecision?.(decision, "PreToolUse");
  await mustPass(call, decision);

  const tool_input = decision.input ?? call.tool_input;
  const about = { ...event, tool_input, ...(decision.input && { original_input: call.tool_input }) };
  const input = thawedCopy(decision.input ?? judged) ?? asGiven(call.tool_input);
  const started = performance.now();
  let result: Result;
  try {
    result = await execute(input, { signal });
  } catch (error) {
    await failed(error);
    throw error;
  }
  if (isErrorResult(result)) {
    await failed(result);
    return result;
  }
  const duration_ms = performance.now() - started;
  const after = await hooks.fire(
    { ...about, hook_event_name: "PostToolUse", tool_response: result, duration_ms },
    options,
  );
  onDecision?.(after, "PostToolUse");
  // A hook that rewrites a result answers for its type.
  return "output" in after ? (after.output as Result) : result;

  async function failed(error: unknown): Promise<void> {
    const failure = await hooks.fire(
      {
        ...about,
        hook_event_name: "PostToolUseFailure",
        error: errorText(error),
        error_type: error instanceof Error ? error.name : "ToolError",
        is_interrupt: signal.aborted,
        duration_ms: performance.now() - started,
      },
      options,
    );
    onDecision?.(failure, "PostToolUseFailure");
  }
}

/** @throws ToolDeniedError */
async function mustPass<Result>(call: ToolCall<Result>, decision: Decision): Promise<void> {
  if (decision.action === "deny" || decision.abort !== undefined)
    throw new ToolDeniedError(call.tool_name, decision);
  if (decision.action !== "ask") return;
  let granted: boolean | undefined;
  try {
    granted = await call.approve?.(decision, decision.input ?? call.tool_input);
  } catch (cause) {
    throw new ToolDeniedError(call.tool_name, decision, { cause });
  }
  if (granted !== true) throw new ToolDeniedError(call.tool_name, decision);
}

/** What the hooks judge is what the tool gets: a copy nobody else can change. `undefined` when it is not plain data. */
function snapshot(input: ToolInput): ToolInput | undefined {
  try {
    const copy = frozenJson(input);
    return isRecord(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

function asGiven(input: ToolInput): Record<string, unknown> {
  return input;
}

/** A tool may report its failure as a result, as tools of other loops do. */
function isErrorResult(result: unknown): boolean {
  return isRecord(result) && (result.is_error === true || result.isError === true);
}

function errorText(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (!isRecord(error)) return String(error);
  const content = error.error ?? error.content ?? error.message;
  return typeof content === "string" ? content : JSON.stringify(content ?? error);
}
