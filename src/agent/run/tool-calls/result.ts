import { frozenCopy, withoutUndefined } from "../../../core/base/json.ts";
import { attachmentOf } from "../../../core/contracts/content.ts";
import type { ContextItem } from "../../../core/events/outcomes.ts";
import { notReplayed } from "../../../core/loops/failed-call.ts";
import type { ToolCallPart, ToolResultPart } from "../../messages/messages.ts";
import { contextOf } from "../../tools/check-result.ts";
import { fireAnyway } from "../session/fire.ts";
import { type AgentSession, emit, type Turn } from "../session/session.ts";
import type { PassedCall, RefusedCall } from "./calls.ts";
import { type Ran, runTool } from "./run-tool.ts";

/** A finished call: its result for the model, and what hooks may see. */
export interface DoneCall {
  readonly part: ToolResultPart;
  readonly tool_input: unknown;
  readonly duration_ms: number;
  readonly tool_response: unknown;
}

export function batchEntry({ part, tool_input, duration_ms, tool_response }: DoneCall) {
  const { tool_name, tool_use_id, content } = part;
  const is_error = part.is_error === true;
  return is_error
    ? { tool_name, tool_input, tool_use_id, is_error, duration_ms, error: content }
    : { tool_name, tool_input, tool_use_id, is_error, duration_ms, tool_response };
}

/**
 * Fires the events after a call: PostToolUse after a success; after a failure Error, which may have a replay-safe tool
 * run again, and PostToolUseFailure. Returns the result even if the turn ends meanwhile.
 */
export async function concludeCall(
  turn: Turn,
  passed: PassedCall,
  first: Ran,
  context: ContextItem[],
): Promise<DoneCall> {
  const { session } = turn;
  let ran = first;
  for (let attempt = 1; ran.error_type !== undefined && ran.interrupted !== true; attempt += 1) {
    if (!(await wantsRetry(session, passed, ran, attempt)) || turn.signal.aborted) break;
    ran = await runTool(turn, passed);
  }
  const { call, input, firing, approval } = passed;
  const { result, duration_ms, error_type } = ran;
  const { tool_name, tool_use_id } = call;
  const before = {
    ...(input === call.tool_input ? {} : { original_input: call.tool_input }),
    ...withoutUndefined({ approval }),
  };
  if (error_type === undefined) {
    const tool_response = result.data ?? result.content;
    const { files } = result;
    const by = passed.answered?.by;
    const seen = {
      tool_name,
      tool_input: input,
      tool_use_id,
      tool_response,
      duration_ms,
      ...before,
      ...(files === undefined ? {} : { attachments: files.map(attachmentOf) }),
      answered_by: by,
    };
    const decision = await fireAnyway(session, "PostToolUse", seen, firing);
    context.push(...decision.context);
    if (decision.action === "deny") context.push(feedback(decision.reason));
    // What a hook removed from a result no other hook may see, nor the model: its files and its context are gone, too.
    const rewritten = "output" in decision;
    if (!rewritten) context.push(...contextOf(result, tool_name));
    const content = rewritten ? textOf(decision.output) : result.content;
    const kept = rewritten ? {} : { files };
    return done(session, {
      part: { type: "tool_result", tool_use_id, tool_name, content, ...kept, ...ran.marks },
      tool_input: input,
      duration_ms,
      tool_response: rewritten ? decision.output : tool_response,
    });
  }
  const is_interrupt = ran.interrupted === true;
  const about = { tool_name, tool_input: input, tool_use_id, duration_ms };
  const fields = { ...about, ...before, error: result.content, error_type, is_interrupt };
  const decision = await fireAnyway(session, "PostToolUseFailure", fields, firing);
  context.push(...decision.context);
  if (decision.error === undefined) context.push(...contextOf(result, tool_name));
  const content = decision.error ?? result.content;
  const part = { type: "tool_result", tool_use_id, tool_name, content, is_error: true } as const;
  return done(session, {
    part: is_interrupt ? { ...part, outcome: "interrupted" } : part,
    tool_input: input,
    duration_ms,
    tool_response: undefined,
  });
}

/** Announces a call to listeners, once and before its result. */
export function tellCall(turn: Turn, call: ToolCallPart): void {
  if (turn.announced.has(call)) return;
  turn.announced.add(call);
  const { tool_use_id, tool_name, tool_input } = call;
  emit(turn.session, { type: "tool_call", tool_use_id, tool_name, tool_input });
}

export function refusedResult(session: AgentSession, { call, content, outcome }: RefusedCall): DoneCall {
  const { tool_name, tool_use_id, tool_input } = call;
  const part = { type: "tool_result", tool_use_id, tool_name, content, is_error: true } as const;
  return done(session, {
    part: outcome === undefined ? part : { ...part, outcome },
    tool_input,
    duration_ms: 0,
    tool_response: undefined,
  });
}

async function wantsRetry(
  session: AgentSession,
  { call, tool, firing }: PassedCall,
  { result, error_type = "ToolError", stack_trace }: Ran,
  attempt: number,
): Promise<boolean> {
  const decision = await fireAnyway(
    session,
    "Error",
    {
      error_type,
      error_message: result.content,
      tool: call.tool_name,
      tool_use_id: call.tool_use_id,
      attempt,
      severity: error_type === "ToolError" ? "warning" : "error",
      stack_trace,
    },
    { no_retry: notReplayed(tool.name, tool.replay), ...firing },
  );
  return decision.retry !== undefined;
}

function done(session: AgentSession, call: DoneCall): DoneCall {
  if (session.listeners.size > 0) {
    const { tool_name, tool_use_id, content, outcome, is_error = false } = call.part;
    const { duration_ms } = call;
    const item = { type: "tool_result", tool_use_id, tool_name, content, is_error, duration_ms } as const;
    emit(session, outcome === undefined ? item : { ...item, outcome });
  }
  return call;
}

/** A deny after the call is feedback for the model; it undoes nothing. */
function feedback(reason: string | undefined): ContextItem {
  const text = reason ?? "A hook objects to this result.";
  return { text, hook: "PostToolUse", role: "user", lifetime: "session", recorded: true };
}

function textOf(output: unknown): string {
  return typeof output === "string" ? output : (JSON.stringify(frozenCopy(output)) ?? "");
}
