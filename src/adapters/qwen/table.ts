import type { Loss, NativePayload, NativeReply } from "../adapter.ts";
import type { AgentTable, Draft } from "../codec/agent-table.ts";
import { QWEN_EVENTS, REPLY_FORMS, type ReplyFormName, TOOL_RESULTS, UNKNOWN_EVENT } from "./events.ts";

/** Everything about Qwen Code's payloads and replies. */
export const qwenTable: AgentTable<ReplyFormName> = {
  name: "qwen",
  title: "Qwen Code",
  evidence: { version: "0.24.4", date: "2026-11-16" },
  events: QWEN_EVENTS,
  unknown: UNKNOWN_EVENT,
  forms: REPLY_FORMS,
  eventOf: ({ hook_event_name, prompt, submitted_prompt }) => {
    if (typeof hook_event_name !== "string") return undefined;
    const isEmpty = hook_event_name === "UserPromptSubmit" && prompt === "" && submitted_prompt === undefined;
    return isEmpty ? TOOL_RESULTS : hook_event_name;
  },
  complete: (native, payload) => {
    const { session_id, agent_id, prompt_id } = payload;
    return {
      ...(Object.hasOwn(COMPLETED, native) ? COMPLETED[native]?.(payload) : {}),
      ...(typeof agent_id === "string" && typeof session_id === "string"
        ? { parent_agent_id: session_id }
        : {}),
      ...(typeof prompt_id === "string" ? { turn_id: prompt_id } : {}),
    };
  },
  // An input is part of an allow.
  unfit: (_, form, { action }) => form === "behavior_input" && action !== "allow",
  write,
};

/** Fields that our event needs and the payload has in another form. */
const COMPLETED: Readonly<Record<string, (payload: NativePayload) => Readonly<Record<string, unknown>>>> = {
  StopFailure: ({ error, error_details }) => ({
    error_type: typeof error === "string" ? error : "unknown",
    error_message: typeof error_details === "string" ? error_details : String(error ?? "unknown"),
  }),
  Notification: ({ message, title }) => ({
    message: typeof message === "string" ? message : typeof title === "string" ? title : "",
  }),
};

function write(draft: Draft, native: string, losses: readonly Loss[]): NativeReply {
  const { top, specific, stderr, exit_code, messages } = draft;
  // With exit code 2 only stderr is read.
  if (exit_code !== 0) return { stdout: "", stderr: [stderr, ...messages].join("\n"), exit_code, losses };
  if (messages.length > 0) top.systemMessage = messages.join("\n");
  if (Object.keys(specific).length > 0) top.hookSpecificOutput = { hookEventName: native, ...specific };
  return { stdout: Object.keys(top).length > 0 ? JSON.stringify(top) : "", stderr: "", exit_code: 0, losses };
}
