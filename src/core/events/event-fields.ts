import { type Fields, field, neededField, schemas } from "../base/schemas.ts";
import type { PersonAnswer } from "../contracts/approval.ts";
import type { Attachment } from "../contracts/content.ts";
import { PROMPT_TYPES } from "../contracts/questions.ts";
import type { Usage } from "../contracts/transcript.ts";

/** A schema that is described by its type alone. */
function shape<T>(must: string, like?: T) {
  return { is: "anything", must, like } as const;
}

const object = schemas.map(schemas.anything, "an object");
const objects = schemas.list(object, "a list of objects");
const list = schemas.list(schemas.anything, "a list");
const usage = shape<Usage>("Usage");
const attachments = shape<readonly Attachment[]>("a list of attachments");

/** The fields every event has once the engine has built it. */
export const COMMON_FIELDS = {
  event_id: neededField(schemas.string, "Set by the engine: unique."),
  seq: neededField(schemas.number, "Set by the engine: 1, 2, 3 … within the session."),
  timestamp: neededField(schemas.string, "Set by the engine: ISO time."),
  session_id: neededField(schemas.string, "One conversation: an agent and the agents it starts."),
  agent_id: field(
    schemas.string,
    "The session's id when the caller names no agent: its root agent. Absent when a foreign agent names none.",
  ),
  agent_type: field(
    schemas.string,
    "The kind of the agent: `main`, or that of a subagent. Absent when a foreign agent names none.",
  ),
  parent_agent_id: field(schemas.string, "The agent that started this one."),
  turn_id: field(schemas.string, "The turn it belongs to."),
  cwd: neededField(schemas.string, "The folder the agent works in."),
  host: neededField(schemas.string, "The agent program: `tenterhook`, `claude`, `codex`, `gemini` …"),
  transcript_path: field(schemas.string, "The file of the conversation, when it is stored in one."),
  usage: field(usage, "What the turn has used so far, where the agent tells it: see below."),
  native: field(schemas.anything, "A foreign agent's payload, untouched."),
} as const satisfies Fields;

const toolCall = {
  tool_name: neededField(schemas.string, ""),
  tool_input: neededField(object, ""),
  tool_use_id: field(schemas.string, ""),
} as const satisfies Fields;

const approval = {
  approval: field(
    shape<PersonAnswer>("what a person has answered"),
    "What a person has answered about the call before: `by` (`user`, or a name), `asked_ms`, `words`.",
  ),
} as const satisfies Fields;

const chosen = {
  choice: field(schemas.string, "What a human chose of the options that this hook asked with."),
} as const satisfies Fields;

const duringCall = {
  tool_use_id: field(schemas.string, "The call it belongs to, when it belongs to one."),
} as const satisfies Fields;

/** What ended work has taken. */
const work = {
  tool_use_count: field(schemas.number, "How many tools the agent has called in this turn."),
  iterations: field(schemas.number, "How often the model was asked in this turn."),
  usage: field(usage, "What the turn has used."),
} as const satisfies Fields;

const prompt = {
  messages: field(objects, ""),
  system_prompt: field(schemas.string, ""),
} as const satisfies Fields;

const stop = {
  last_assistant_message: field(schemas.string, ""),
  response: field(schemas.anything, ""),
  output_messages: field(objects, ""),
  stop_hook_active: field(schemas.boolean, "True when this stop follows one that a hook prevented."),
  continuations: field(
    schemas.number,
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
    source: field(schemas.word("startup", "resume", "clear", "compact", "fork"), ""),
    model: field(schemas.string, ""),
    profile: field(schemas.string, ""),
    config: field(schemas.anything, ""),
  },
  SessionEnd: {
    reason: field(
      schemas.string,
      "Why it ended, in the agent's words; some systems call this `exit_reason`.",
    ),
    duration_ms: field(schemas.number, "How long it lasted."),
  },
  UserPromptSubmit: {
    prompt: neededField(schemas.string, "The text of the prompt."),
    attachments: field(
      attachments,
      "Images and files of the prompt: `media_type`, `filename`, `bytes` or `url`.",
    ),
  },
  TurnStart: {
    input: field(schemas.anything, ""),
    is_hook_input_turn: field(schemas.boolean, ""),
  },
  TurnEnd: {
    result: field(schemas.anything, ""),
    is_hook_input_turn: field(schemas.boolean, ""),
  },
  PreGeneration: {
    ...prompt,
  },
  PostGeneration: {
    response: field(schemas.anything, ""),
    result: field(schemas.string, "The text of the answer, which a rewrite replaces."),
    usage: field(usage, ""),
  },
  PreIteration: {
    ...prompt,
    iteration: field(schemas.number, "0 for the first round."),
    usage: field(usage, ""),
  },
  PostIteration: {
    iteration: field(schemas.number, ""),
    response: field(schemas.anything, ""),
    usage: field(usage, ""),
  },
  PreModelRequest: {
    request: field(object, "In our agent { model, system_prompt, messages, tools, settings }."),
  },
  PostModelResponse: {
    response: field(schemas.anything, ""),
    usage: field(usage, ""),
    duration_ms: field(schemas.number, ""),
  },
  StreamDelta: {
    text: field(schemas.string, ""),
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
    tool_name: neededField(schemas.string, ""),
    tool_input: field(object, ""),
    tool_use_id: field(schemas.string, ""),
    reason: field(schemas.string, ""),
    by: field(
      schemas.string,
      "Who refused: `hook`, `rule`, `user`, or `nobody` where nobody could be asked.",
    ),
    ...approval,
  },
  PostToolUse: {
    ...toolCall,
    tool_response: field(schemas.anything, ""),
    attachments: field(
      attachments,
      "Images and files of the result: `media_type`, `filename`, `bytes` or `url`. A rewritten result has none.",
    ),
    duration_ms: field(schemas.number, ""),
    original_input: field(object, "The input as the model gave it, when a hook rewrote it."),
    answered_by: field(
      schemas.string,
      "The PreToolUse hook that gave the result with `answer`, when the tool itself did not run.",
    ),
    ...approval,
  },
  PostToolUseFailure: {
    ...toolCall,
    error: field(schemas.string, ""),
    error_type: field(schemas.string, ""),
    is_interrupt: field(schemas.boolean, ""),
    duration_ms: field(schemas.number, ""),
    original_input: field(object, ""),
    ...approval,
  },
  PostToolBatch: {
    tool_calls: neededField(
      objects,
      "Each with tool_name, tool_input, tool_use_id, is_error, duration_ms, and tool_response or error.",
    ),
  },
  PostBackgroundToolUse: {
    tool_name: neededField(schemas.string, ""),
    tool_input: field(object, ""),
    tool_use_id: field(schemas.string, ""),
    tool_response: field(schemas.anything, ""),
  },
  AgentStart: {
    task: field(schemas.string, ""),
  },
  AgentStop: {
    result: field(schemas.anything, ""),
    reason: field(schemas.word("complete", "error", "cancelled", "limit"), ""),
    ...work,
  },
  SubagentStart: {
    ...duringCall,
    task: field(schemas.string, ""),
  },
  SubagentStop: {
    ...duringCall,
    ...stop,
    ...work,
    result: field(schemas.anything, ""),
  },
  Stop: {
    ...stop,
  },
  AgentPrompt: {
    ...duringCall,
    prompt_type: neededField(
      schemas.word(...PROMPT_TYPES),
      "EnterPlanMode of Claude Code and others is a `plan_approval`. That of our agent asks nobody: plan mode only forbids.",
    ),
    question: field(
      schemas.anything,
      "The questions, the plan, the call that is to be permitted (tool_name, tool_input), or a message.",
    ),
  },
  Notification: {
    ...duringCall,
    message: neededField(schemas.string, ""),
    notification_type: field(schemas.string, ""),
    level: field(schemas.string, ""),
  },
  Error: {
    ...duringCall,
    error_type: neededField(schemas.string, ""),
    error_message: neededField(schemas.string, ""),
    tool: field(schemas.string, "The tool that failed; a `tools` filter reads it."),
    stack_trace: field(schemas.string, ""),
    severity: field(schemas.word("warning", "error", "critical"), ""),
    occurrence: field(
      schemas.number,
      "How many of this type the session has had so far, this one included; the engine counts.",
    ),
    attempt: field(schemas.number, "Which try of the call has failed, from 1 on."),
  },
  Checkpoint: {
    checkpoint_id: neededField(schemas.string, ""),
    checkpoint_type: field(schemas.word("auto", "manual", "periodic"), ""),
    message_count: field(schemas.number, "Messages since the last checkpoint."),
    duration_since_last_ms: field(schemas.number, ""),
    storage_path: field(schemas.string, ""),
  },
  ModelSwitch: {
    old_model: field(shape<string | null>("string | null"), "`null` for the first model of a session."),
    new_model: neededField(schemas.string, ""),
    reason: field(schemas.string, ""),
    profile: field(schemas.string, ""),
    triggered_by: field(schemas.word("user", "automatic", "fallback"), ""),
    ...chosen,
  },
  ModeChanged: {
    ...duringCall,
    old_mode: field(schemas.string, ""),
    new_mode: neededField(
      schemas.string,
      "The permission mode from now on: `default`, `plan`, `accept-edits`, `bypass` or `dont-ask`.",
    ),
  },
  SkillLoaded: {
    ...duringCall,
    skill_name: neededField(schemas.string, ""),
    file_path: field(schemas.string, "The file of the skill."),
  },
  GoalProgress: {
    achieved: neededField(schemas.boolean, "True when the judge lets the agent stop."),
    reason: field(schemas.string, "What is still missing, or why it is enough, as the judge says."),
    hook: field(schemas.string, "The judge: the name of the Stop or SubagentStop hook."),
    continuations: field(schemas.number, "How often hooks had kept this turn going before."),
  },
  MemoryUpdate: {
    ...duringCall,
    file_path: neededField(schemas.string, ""),
    update_type: field(schemas.word("created", "modified", "deleted"), ""),
    content_size: field(schemas.number, ""),
    previous_hash: field(schemas.string, ""),
    new_hash: field(schemas.string, ""),
    pending: field(
      schemas.boolean,
      "True when the runtime itself is about to write, so that a hook can still refuse.",
    ),
  },
  PreCompact: {
    trigger: field(schemas.string, ""),
    token_count: field(schemas.number, ""),
    custom_instructions: field(schemas.string, ""),
  },
  PostCompact: {
    trigger: field(schemas.string, ""),
    summary: field(schemas.string, ""),
    tokens_before: field(schemas.number, ""),
    tokens_after: field(schemas.number, ""),
  },
  Suspend: {
    pending_tool_calls: field(list, ""),
  },
  Resume: {
    answers: field(schemas.anything, ""),
  },
  Interrupt: {
    reason: field(schemas.string, ""),
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
