import { isRecord } from "../../core/base/json.ts";
import { textOf } from "../../core/base/text.ts";
import type { NativePayload } from "../adapter.ts";
import type { AgentTable } from "../codec/agent-table.ts";
import { writesWithoutMessages } from "../codec/reply-forms.ts";
import { CLINE_EVENTS, FILES, UNKNOWN_EVENT } from "./events.ts";
import { laterHook } from "./later-hook.ts";
import { behindOurs, calledIn, REPLY_FORMS, type ReplyFormName } from "./reply-forms.ts";
import { callOf, nativeInput } from "./tools.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Everything about Cline's payloads and replies. */
export const clineTable: AgentTable<ReplyFormName> = {
  name: "cline",
  title: "Cline",
  evidence: { version: "3.0.65", date: "2026-11-16" },
  events: CLINE_EVENTS,
  unknown: UNKNOWN_EVENT,
  forms: REPLY_FORMS,
  eventOf,
  complete: (native, payload) => {
    const { sessionContext, taskId, agent_id, parent_agent_id } = payload;
    const { rootSessionId = taskId } = isRecord(sessionContext) ? sessionContext : {};
    const isSubagent = typeof parent_agent_id === "string";
    return {
      session_id: rootSessionId,
      cwd: calledIn(payload).root,
      agent_id: isSubagent ? agent_id : undefined,
      parent_agent_id: isSubagent ? parent_agent_id : undefined,
      ...(Object.hasOwn(COMPLETED, native) ? COMPLETED[native]?.(payload) : {}),
    };
  },
  unfit: (_effect, form, { input }, { native }) => {
    if (form !== "override_input" || input === undefined) return false;
    const { tool, root } = calledIn(native);
    if (nativeInput(tool, input) === undefined) return `Cline does not take these fields for ${tool}.`;
    const later = laterHook(root);
    return later === undefined ? false : behindOurs(later);
  },
  // The script that calls us refuses when there is no answer at all.
  write: writesWithoutMessages("Cline", "{}"),
  refuseUnknown: (reason) => ({
    stdout: JSON.stringify({ cancel: true, errorMessage: reason }),
    stderr: reason,
    exit_code: 2,
    losses: [],
  }),
};

/** The name of the event's file, and what tells apart the two that share one. */
function eventOf({ hookName, parent_agent_id, tool_result }: NativePayload): string | undefined {
  if (typeof hookName !== "string") return undefined;
  const name = FILES.get(hookName) ?? hookName;
  const isError = isRecord(tool_result) && tool_result.error !== undefined;
  const own = `${name}.${name === "PostToolUse" ? (isError ? "error" : "") : typeof parent_agent_id === "string" ? "subagent" : ""}`;
  return Object.hasOwn(CLINE_EVENTS, own) ? own : name;
}

/** Fields that our event needs and the payload has in another form. */
const COMPLETED: Readonly<Record<string, (payload: NativePayload) => Fields>> = {
  PreToolUse: ({ tool_call }) => {
    const { id, name, input } = isRecord(tool_call) ? tool_call : {};
    return typeof name === "string" ? { ...callOf(name, input), tool_use_id: textOf(id) } : {};
  },
  PostToolUse: ({ tool_result }) => ({ ...ranCall(tool_result), tool_response: resultOf(tool_result) }),
  "PostToolUse.error": ({ tool_result }) => ({
    ...ranCall(tool_result),
    error: errorText(resultOf(tool_result)),
  }),
  TaskComplete: ended,
  "TaskComplete.subagent": ended,
  TaskError: ({ error }) => {
    const { name, message } = isRecord(error) ? error : { name: undefined, message: error };
    return { error_type: textOf(name) ?? "unknown", error_message: textOf(message) ?? "unknown" };
  },
};

/** A call that has been made, also one whose input the tool rejected. */
function ranCall(result: unknown): Fields {
  const { id, name, input } = isRecord(result) ? result : {};
  if (typeof name !== "string") return {};
  const { tool_name, tool_input = isRecord(input) ? input : { input } } = callOf(name, input);
  return { tool_name, tool_input, tool_use_id: textOf(id) };
}

function resultOf(result: unknown): unknown {
  return isRecord(result) ? result.output : undefined;
}

function errorText(output: unknown): string {
  const error: unknown = isRecord(output) ? (output.error ?? output) : output;
  return typeof error === "string" ? error : (JSON.stringify(error) ?? "unknown");
}

function ended({ turn }: NativePayload): Fields {
  const text = isRecord(turn) ? textOf(turn.outputText) : undefined;
  return text === undefined ? {} : { last_assistant_message: text };
}
