import { type Fields, field, kinds, neededField } from "../base/kinds.ts";
import type { Attachment } from "../contracts/content.ts";
import { PROMPT_TYPES } from "../contracts/questions.ts";
import type { Usage } from "../contracts/transcript.ts";

/** A kind that is described by its type alone. */
function shape<T>(must: string, like?: T) {
  return { is: "anything", must, like } as const;
}

const object = kinds.map(kinds.anything, "an object");
const objects = kinds.list(object, "a list of objects");
const list = kinds.list(kinds.anything, "a list");
const usage = shape<Usage>("Usage");
const attachments = shape<readonly Attachment[]>("a list of attachments");

/** The fields every event has once the engine has built it. */
export const COMMON_FIELDS = {
  event_id: neededField(kinds.string, "Set by the engine: unique."),
  seq: neededField(kinds.number, "Set by the engine: 1, 2, 3 … within the session."),
  timestamp: neededField(kinds.string, "Set by the engine: ISO time."),
  session_id: neededField(kinds.string, "One conversation: an agent and the agents it starts."),
  agent_id: field(
    kinds.string,
    "The session's id when the caller names no agent: its root agent. Absent when a foreign agent names none.",
  ),
  agent_type: field(
    kinds.string,
    "The kind of the agent: `main`, or that of a subagent. Absent when a foreign agent names none.",
  ),
  parent_agent_id: field(kinds.string, "The agent that started this one."),
  turn_id: field(kinds.string, "The turn it belongs to."),
  cwd: neededField(kinds.string, "The folder the agent works in."),
  host: neededField(kinds.string, "The agent program: `tenterhook`, `claude`, `codex`, `gemini` …"),
  transcript_path: field(kinds.string, "The file of the conversation, when it is stored in one."),
  usage: field(usage, "What the turn has used so far, where the agent tells it: see below."),
  native: field(kinds.anything, "A foreign agent's payload, untouched."),
} as const satisfies Fields;

const toolCall = {
  tool_name: neededField(kinds.string, ""),
  tool_input: neededField(object, ""),
  tool_use_id: field(kinds.string, ""),
} as const satisfies Fields;

const chosen = {
  choice: field(kinds.string, "What a human chose of the options that this hook asked with."),
} as const satisfies Fields;

const duringCall = {
  tool_use_id: field(kinds.string, "The call it belongs to, when it belongs to one."),
} as const satisfies Fields;

const prompt = {
  messages: field(objects, ""),
  system_prompt: field(kinds.string, ""),
} as const satisfies Fields;

const stop = {
  last_assistant_message: field(kinds.string, ""),
  response: field(kinds.anything, ""),
  output_messages: field(objects, ""),
  stop_hook_active: field(kinds.boolean, "True when this stop follows one that a hook prevented."),
  continuations: field(
    kinds.number,
    "How often hooks kept this turn going, as the caller counts; the engine counts too and takes the higher number.",
  ),
  usage: field(usage, ""),
} as const satisfies Fields;

/**
 * The one table of the own fields of each event: types, checks, templates and the reference are derived from it. A caller
 * must give what is a `neededField`.
 */
export const EVENT_FIELDS = {
  SessionStart: {
    source: field(kinds.word("startup", "resume", "clear", "compact", "fork"), ""),
    model: field(kinds.string, ""),
    profile: field(kinds.string, ""),
    config: field(kinds.anything, ""),
  },
  SessionEnd: {
    reason: field(kinds.string, ""),
    duration_ms: field(kinds.number, ""),
  },
  UserPromptSubmit: {
    prompt: neededField(kinds.string, "The text of the prompt."),
    attachments: field(
      attachments,
      "Images and files of the prompt: `media_type`, `filename`, `bytes` or `url`.",
    ),
  },
  TurnStart: {
    input: field(kinds.anything, ""),
    is_hook_input_turn: field(kinds.boolean, ""),
  },
  TurnEnd: {
    result: field(kinds.anything, ""),
    is_hook_input_turn: field(kinds.boolean, ""),
  },
  PreGeneration: {
    ...prompt,
  },
  PostGeneration: {
    response: field(kinds.anything, ""),
    result: field(kinds.string, "The text of the answer, which a rewrite replaces."),
    usage: field(usage, ""),
  },
  PreIteration: {
    ...prompt,
    iteration: field(kinds.number, "0 for the first round."),
    usage: field(usage, ""),
  },
  PostIteration: {
    iteration: field(kinds.number, ""),
    response: field(kinds.anything, ""),
    usage: field(usage, ""),
  },
  PreModelRequest: {
    request: field(object, ""),
  },
  PostModelResponse: {
    response: field(kinds.anything, ""),
    usage: field(usage, ""),
    duration_ms: field(kinds.number, ""),
  },
  StreamDelta: {
    text: field(kinds.string, ""),
    usage: field(usage, ""),
  },
  PreToolUse: {
    ...toolCall,
    ...chosen,
  },
  PermissionRequest: {
    ...toolCall,
    permission_suggestions: field(list, ""),
  },
  PermissionDenied: {
    tool_name: neededField(kinds.string, ""),
    tool_input: field(object, ""),
    tool_use_id: field(kinds.string, ""),
    reason: field(kinds.string, ""),
    by: field(kinds.string, "Who refused: `hook`, `rule`, `user`, or `nobody` where nobody could be asked."),
  },
  PostToolUse: {
    ...toolCall,
    tool_response: field(kinds.anything, ""),
    attachments: field(
      attachments,
      "Images and files of the result: `media_type`, `filename`, `bytes` or `url`. A rewritten result has none.",
    ),
    duration_ms: field(kinds.number, ""),
    original_input: field(object, "The input as the model gave it, when a hook rewrote it."),
  },
  PostToolUseFailure: {
    ...toolCall,
    error: field(kinds.string, ""),
    error_type: field(kinds.string, ""),
    is_interrupt: field(kinds.boolean, ""),
    duration_ms: field(kinds.number, ""),
    original_input: field(object, ""),
  },
  PostToolBatch: {
    tool_calls: neededField(
      objects,
      "Each with tool_name, tool_input, tool_use_id, is_error, duration_ms, and tool_response or error.",
    ),
  },
  PostBackgroundToolUse: {
    tool_name: neededField(kinds.string, ""),
    tool_input: field(object, ""),
    tool_use_id: field(kinds.string, ""),
    tool_response: field(kinds.anything, ""),
  },
  AgentStart: {
    task: field(kinds.string, ""),
  },
  AgentStop: {
    result: field(kinds.anything, ""),
    reason: field(kinds.word("complete", "error", "cancelled", "limit"), ""),
  },
  SubagentStart: {
    ...duringCall,
    task: field(kinds.string, ""),
  },
  SubagentStop: {
    ...duringCall,
    ...stop,
    result: field(kinds.anything, ""),
  },
  Stop: {
    ...stop,
  },
  AgentPrompt: {
    ...duringCall,
    prompt_type: neededField(kinds.word(...PROMPT_TYPES), ""),
    question: field(
      kinds.anything,
      "The questions, the plan, the call that is to be permitted (tool_name, tool_input), or a message.",
    ),
  },
  Notification: {
    ...duringCall,
    message: neededField(kinds.string, ""),
    notification_type: field(kinds.string, ""),
    level: field(kinds.string, ""),
  },
  Error: {
    ...duringCall,
    error_type: neededField(kinds.string, ""),
    error_message: neededField(kinds.string, ""),
    tool: field(kinds.string, "The tool that failed; a `tools` filter reads it."),
    stack_trace: field(kinds.string, ""),
    severity: field(kinds.word("warning", "error", "critical"), ""),
    occurrence: field(
      kinds.number,
      "How many of this type the session has had so far, this one included; the engine counts.",
    ),
  },
  Checkpoint: {
    checkpoint_id: neededField(kinds.string, ""),
    checkpoint_type: field(kinds.word("auto", "manual", "periodic"), ""),
    message_count: field(kinds.number, "Messages since the last checkpoint."),
    duration_since_last_ms: field(kinds.number, ""),
    storage_path: field(kinds.string, ""),
  },
  ModelSwitch: {
    old_model: field(shape<string | null>("string | null"), ""),
    new_model: neededField(kinds.string, ""),
    reason: field(kinds.string, ""),
    profile: field(kinds.string, ""),
    triggered_by: field(kinds.word("user", "automatic", "fallback"), ""),
    ...chosen,
  },
  MemoryUpdate: {
    ...duringCall,
    file_path: neededField(kinds.string, ""),
    update_type: field(kinds.word("created", "modified", "deleted"), ""),
    content_size: field(kinds.number, ""),
    previous_hash: field(kinds.string, ""),
    new_hash: field(kinds.string, ""),
    pending: field(
      kinds.boolean,
      "True when the runtime itself is about to write, so that a hook can still refuse.",
    ),
  },
  PreCompact: {
    trigger: field(kinds.string, ""),
    token_count: field(kinds.number, ""),
    custom_instructions: field(kinds.string, ""),
  },
  PostCompact: {
    trigger: field(kinds.string, ""),
    summary: field(kinds.string, ""),
    tokens_before: field(kinds.number, ""),
    tokens_after: field(kinds.number, ""),
  },
  Suspend: {
    pending_tool_calls: field(list, ""),
  },
  Resume: {
    answers: field(kinds.anything, ""),
  },
  Interrupt: {
    reason: field(kinds.string, ""),
  },
} as const satisfies Readonly<Record<string, Fields>>;

/** Names that rules and templates know in addition to the fields. */
const SHORT_NAMES = ["hook_event_name", "event", "tool", "args", "command", "path", "model"];

/** The names a template can use on an event; `undefined` for an event that is not in the table. */
export function fieldsOfEvent(event: string): readonly string[] | undefined {
  const rows: Readonly<Record<string, Fields>> = EVENT_FIELDS;
  const own = Object.hasOwn(rows, event) ? rows[event] : undefined;
  return own && [...Object.keys(COMMON_FIELDS), ...Object.keys(own), ...SHORT_NAMES];
}
