import type { EventName } from "../../core/events/event-table.ts";
import type { CommonFields, EventFields } from "../../core/events/payloads.ts";

type Names<Fields> = Readonly<Record<keyof Fields, true>>;

const call = { tool_name: true, tool_input: true, tool_use_id: true } as const;
const prompt = { messages: true, system_prompt: true } as const;
const stop = {
  last_assistant_message: true,
  response: true,
  output_messages: true,
  stop_hook_active: true,
  continuations: true,
  usage: true,
} as const;

const COMMON: Names<CommonFields> = {
  event_id: true,
  seq: true,
  timestamp: true,
  session_id: true,
  agent_id: true,
  agent_type: true,
  parent_agent_id: true,
  turn_id: true,
  cwd: true,
  host: true,
  transcript_path: true,
  native: true,
};

/** The fields of each event, as the types have them: the compiler sees to it that none is missing. */
const OWN: { readonly [Name in EventName]: Names<EventFields[Name]> } = {
  SessionStart: { source: true, model: true, profile: true, config: true },
  SessionEnd: { reason: true, duration_ms: true },
  UserPromptSubmit: { prompt: true },
  TurnStart: { input: true, is_hook_input_turn: true },
  TurnEnd: { result: true, is_hook_input_turn: true },
  PreGeneration: prompt,
  PostGeneration: { response: true, usage: true },
  PreIteration: { ...prompt, iteration: true, usage: true },
  PostIteration: { iteration: true, response: true, usage: true },
  PreModelRequest: { request: true },
  PostModelResponse: { response: true, usage: true, duration_ms: true },
  StreamDelta: { text: true, usage: true },
  PreToolUse: call,
  PermissionRequest: { ...call, permission_suggestions: true },
  PermissionDenied: { ...call, reason: true, by: true },
  PostToolUse: { ...call, tool_response: true, duration_ms: true, original_input: true },
  PostToolUseFailure: {
    ...call,
    error: true,
    error_type: true,
    is_interrupt: true,
    duration_ms: true,
    original_input: true,
  },
  PostToolBatch: { tool_calls: true },
  PostBackgroundToolUse: { ...call, tool_response: true },
  AgentStart: { task: true },
  AgentStop: { result: true, reason: true },
  SubagentStart: { task: true, tool_use_id: true },
  SubagentStop: { ...stop, result: true, tool_use_id: true },
  Stop: stop,
  AgentPrompt: { prompt_type: true, question: true, tool_use_id: true },
  Notification: { message: true, notification_type: true, level: true, tool_use_id: true },
  Error: {
    error_type: true,
    error_message: true,
    tool: true,
    tool_use_id: true,
    stack_trace: true,
    severity: true,
    occurrence: true,
  },
  Checkpoint: {
    checkpoint_id: true,
    checkpoint_type: true,
    message_count: true,
    duration_since_last_ms: true,
    storage_path: true,
  },
  ModelSwitch: { old_model: true, new_model: true, reason: true, profile: true, triggered_by: true },
  MemoryUpdate: {
    file_path: true,
    update_type: true,
    content_size: true,
    previous_hash: true,
    new_hash: true,
    pending: true,
    tool_use_id: true,
  },
  PreCompact: { trigger: true, token_count: true, custom_instructions: true },
  PostCompact: { trigger: true, summary: true, tokens_before: true, tokens_after: true },
  Suspend: { pending_tool_calls: true },
  Resume: { answers: true },
  Interrupt: { reason: true },
};

/** Names that rules and templates know beside the fields themselves. */
const SHORT_NAMES = ["hook_event_name", "event", "tool", "args", "command", "path", "model"];

/** The names a template can use on an event; `undefined` for one that is not of the table. */
export function fieldsOfEvent(event: string): readonly string[] | undefined {
  const rows: Readonly<Record<string, Readonly<Record<string, true>>>> = OWN;
  const own = rows[event];
  return own && [...Object.keys(COMMON), ...Object.keys(own), ...SHORT_NAMES];
}
