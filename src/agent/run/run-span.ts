import { errorMessage } from "../../core/base/error-text.ts";
import { isTenterhookError } from "../../core/base/errors.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import type { AgentItem, AgentResult } from "../items.ts";
import { modelAttributes } from "../model/model-span.ts";
import { loadApi, type SpanAttributes, type Telemetry } from "../telemetry/api.ts";
import {
  currentScope,
  failSpan,
  openSpan,
  outside,
  parentContext,
  type RunSpans,
  type Scope,
  within,
} from "../telemetry/scope.ts";
import { listen } from "./session/listeners.ts";
import type { AgentSession } from "./session/session.ts";

type Run = () => Promise<AgentResult>;

/**
 * Runs an agent, in a span if its options want telemetry. Calls of models and tools and runs of hooks are spans below it.
 *
 * @throws TenterhookError `invalid_option` when OpenTelemetry's API is not installed; what the run throws.
 */
export function traceRun(session: AgentSession, run: Run): Promise<AgentResult> {
  const { telemetry = false } = session.options;
  return telemetry === false ? outside(run) : inSpan(session, telemetry, run);
}

async function inSpan(
  session: AgentSession,
  telemetry: Exclude<Telemetry, false>,
  run: Run,
): Promise<AgentResult> {
  const { agent_type, agent_id, session_id } = session.identity;
  const api = await loadApi();
  const tracer = telemetry === true ? api.trace.getTracer("tenterhook", PACKAGE_VERSION) : telemetry.tracer;
  const { span, context } = openSpan(
    { api, tracer, context: parentContext(api) },
    `invoke_agent ${agent_type}`,
    {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": agent_type,
      "gen_ai.agent.id": agent_id,
      "gen_ai.conversation.id": session_id,
    },
  );
  const unrecorded: Scope = { api, tracer, context, spans: undefined };
  if (!span.isRecording()) return within(unrecorded, run);
  const spans: RunSpans = { tools: new Map(), hooks: new Map() };
  const scope: Scope = { ...unrecorded, spans };
  const end = follow(session, scope, spans);
  try {
    const result = await within(scope, run);
    span.setAttributes(resultAttributes(session, result));
    const { error } = result;
    if (error !== undefined) failSpan(span, error.error_type, error.message);
    return result;
  } catch (thrown) {
    const name = thrown instanceof Error ? thrown.name : "Error";
    failSpan(span, isTenterhookError(thrown) ? thrown.code : name, errorMessage(thrown));
    throw thrown;
  } finally {
    end();
    span.end();
  }
}

function resultAttributes({ model }: AgentSession, result: AgentResult): SpanAttributes {
  const { stop_reason, finish_reason, usage } = result;
  return {
    ...(model === undefined ? {} : modelAttributes(model)),
    ...(finish_reason === undefined ? {} : { "gen_ai.response.finish_reasons": [finish_reason] }),
    "gen_ai.usage.input_tokens": usage.input_tokens ?? 0,
    "gen_ai.usage.output_tokens": usage.output_tokens ?? 0,
    "tenterhook.stop_reason": stop_reason,
  };
}

/** Starts and ends the spans of calls and hooks. Returns a function for the end of the run; async hooks may still run then. */
function follow(session: AgentSession, scope: Scope, spans: RunSpans): () => void {
  let isOver = false;
  const stopIfDone = (): void => {
    if (isOver && spans.hooks.size === 0) unlisten();
  };
  const unlisten = listen(session, (item) => {
    if (item.type === "tool_call") beginCall(scope, spans, item);
    else if (item.type === "tool_result") endCall(spans, item);
    else if (item.type === "hook_begin") beginHook(spans, item);
    else if (item.type === "hook_end") {
      endHook(spans, item);
      stopIfDone();
    }
  });
  return () => {
    isOver = true;
    // Calls that wait for a human have no result.
    for (const { span } of spans.tools.values()) if (span.isRecording()) span.end();
    stopIfDone();
  };
}

type Item<Type extends AgentItem["type"]> = Extract<AgentItem, { readonly type: Type }>;

function beginCall(scope: Scope, { tools }: RunSpans, { tool_name, tool_use_id }: Item<"tool_call">): void {
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool_name,
    "gen_ai.tool.call.id": tool_use_id,
    "gen_ai.tool.type": "function",
  };
  tools.set(tool_use_id, openSpan(scope, `execute_tool ${tool_name}`, attributes));
}

function endCall({ tools }: RunSpans, { tool_use_id, is_error, outcome }: Item<"tool_result">): void {
  const span = tools.get(tool_use_id)?.span;
  if (is_error && span !== undefined) failSpan(span, outcome ?? "tool_error");
  span?.end();
}

/** A hook set may serve several agents, and a subagent has the session of its parent: only hooks of this run count. */
function beginHook(
  spans: RunSpans,
  { run_id, hook, hook_event_name, tool_use_id }: Item<"hook_begin">,
): void {
  const scope = currentScope();
  if (scope?.spans !== spans) return;
  const call = tool_use_id === undefined ? undefined : spans.tools.get(tool_use_id);
  const attributes = { "tenterhook.hook.name": hook, "tenterhook.hook.event": hook_event_name };
  const context = call?.context ?? scope.context;
  spans.hooks.set(run_id, openSpan({ ...scope, context }, `hook ${hook}`, attributes));
}

function endHook({ hooks }: RunSpans, { run_id, run }: Item<"hook_end">): void {
  const span = hooks.get(run_id)?.span;
  if (span === undefined) return;
  hooks.delete(run_id);
  const { handler, outcome, failure } = run;
  span.setAttributes({
    "tenterhook.hook.handler": handler,
    ...(outcome === undefined ? {} : { "tenterhook.hook.action": outcome.action }),
  });
  if (failure !== undefined) failSpan(span, failure.kind);
  span.end();
}
