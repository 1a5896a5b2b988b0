import type { Usage } from "../contracts/transcript.ts";
import type { EventName, OwnEventName } from "./event-table.ts";

/** What a tool is called with. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** A message of the conversation, in the format of its agent. */
export type Message = Readonly<Record<string, unknown>>;

/** What every event carries once the engine has it. */
export type CommonFields = {
  /** Set by the engine: unique. */
  readonly event_id: string;
  /** Set by the engine: 1, 2, 3 … within the session. */
  readonly seq: number;
  /** Set by the engine: ISO time. */
  readonly timestamp: string;
  /** One conversation: an agent and the agents it starts. */
  readonly session_id: string;
  /** The session's id when the caller names no agent: its root agent. */
  readonly agent_id: string;
  /** The kind of the agent: `main`, or that of a subagent. */
  readonly agent_type: string;
  /** The agent that started this one. */
  readonly parent_agent_id?: string;
  /** The turn it belongs to. */
  readonly turn_id?: string;
  /** The folder the agent works in. */
  readonly cwd: string;
  /** The agent program: `tenterhook`, `claude`, `codex`, `gemini` … */
  readonly host: string;
  /** The file of the conversation, when it is stored in one. */
  readonly transcript_path?: string;
  /** A foreign agent's payload, untouched. */
  readonly native?: unknown;
};

type ToolCallFields = {
  readonly tool_name: string;
  readonly tool_input: ToolInput;
  readonly tool_use_id?: string;
};

type DuringCallFields = {
  /** The call it belongs to, when it belongs to one. */
  readonly tool_use_id?: string;
};

type PromptFields = {
  readonly messages?: readonly Message[];
  readonly system_prompt?: string;
};

type StopFields = {
  readonly last_assistant_message?: string;
  readonly response?: unknown;
  readonly output_messages?: readonly Message[];
  /** True when this stop follows one that a hook prevented. */
  readonly stop_hook_active?: boolean;
  /** How often hooks kept this turn going, as the caller counts; the engine counts too and takes the higher number. */
  readonly continuations?: number;
  readonly usage?: Usage;
};

/** The own fields of each event. */
export interface EventFields {
  SessionStart: {
    readonly source?: "startup" | "resume" | "clear" | "compact" | "fork";
    readonly model?: string;
    readonly profile?: string;
    readonly config?: unknown;
  };
  SessionEnd: { readonly reason?: string; readonly duration_ms?: number };
  UserPromptSubmit: { readonly prompt: string };
  TurnStart: { readonly input?: unknown; readonly is_hook_input_turn?: boolean };
  TurnEnd: { readonly result?: unknown; readonly is_hook_input_turn?: boolean };
  PreGeneration: PromptFields;
  PostGeneration: { readonly response?: unknown; readonly usage?: Usage };
  PreIteration: PromptFields & {
    /** 0 for the first round. */
    readonly iteration?: number;
    readonly usage?: Usage;
  };
  PostIteration: { readonly iteration?: number; readonly response?: unknown; readonly usage?: Usage };
  PreModelRequest: { readonly request?: Readonly<Record<string, unknown>> };
  PostModelResponse: { readonly response?: unknown; readonly usage?: Usage; readonly duration_ms?: number };
  StreamDelta: { readonly text?: string; readonly usage?: Usage };
  PreToolUse: ToolCallFields;
  PermissionRequest: ToolCallFields & { readonly permission_suggestions?: readonly unknown[] };
  PermissionDenied: {
    readonly tool_name: string;
    readonly tool_input?: ToolInput;
    readonly tool_use_id?: string;
    readonly reason?: string;
    /** Who refused: `hook`, `rule`, `user`, or `nobody` where nobody could be asked. */
    readonly by?: string;
  };
  PostToolUse: ToolCallFields & {
    readonly tool_response?: unknown;
    readonly duration_ms?: number;
    /** The input as the model gave it, when a hook rewrote it. */
    readonly original_input?: ToolInput;
  };
  PostToolUseFailure: ToolCallFields & {
    readonly error?: string;
    readonly error_type?: string;
    readonly is_interrupt?: boolean;
    readonly duration_ms?: number;
    readonly original_input?: ToolInput;
  };
  PostToolBatch: {
    /** Each with tool_name, tool_input, tool_use_id, is_error, duration_ms, and tool_response or error. */
    readonly tool_calls: readonly Readonly<Record<string, unknown>>[];
  };
  PostBackgroundToolUse: {
    readonly tool_name: string;
    readonly tool_input?: ToolInput;
    readonly tool_use_id?: string;
    readonly tool_response?: unknown;
  };
  AgentStart: { readonly task?: string };
  AgentStop: { readonly result?: unknown; readonly reason?: "complete" | "error" | "cancelled" | "limit" };
  SubagentStart: DuringCallFields & { readonly task?: string };
  SubagentStop: DuringCallFields & StopFields & { readonly result?: unknown };
  Stop: StopFields;
  AgentPrompt: DuringCallFields & {
    readonly prompt_type: "plan_approval" | "question" | "permission" | "idle" | "other";
    /** The questions, the plan, the call that is to be permitted (tool_name, tool_input), or a message. */
    readonly question?: unknown;
  };
  Notification: DuringCallFields & {
    readonly message: string;
    readonly notification_type?: string;
    readonly level?: string;
  };
  Error: DuringCallFields & {
    readonly error_type: string;
    readonly error_message: string;
    /** The tool that failed; a `tools` filter reads it. */
    readonly tool?: string;
    readonly stack_trace?: string;
    readonly severity?: "warning" | "error" | "critical";
    /** How many of this type the session has had so far, this one included; the engine counts. */
    readonly occurrence?: number;
  };
  Checkpoint: {
    readonly checkpoint_id: string;
    readonly checkpoint_type?: "auto" | "manual" | "periodic";
    /** Messages since the last checkpoint. */
    readonly message_count?: number;
    readonly duration_since_last_ms?: number;
    readonly storage_path?: string;
  };
  ModelSwitch: {
    readonly old_model?: string | null;
    readonly new_model: string;
    readonly reason?: string;
    readonly profile?: string;
    readonly triggered_by?: "user" | "automatic" | "fallback";
  };
  MemoryUpdate: DuringCallFields & {
    readonly file_path: string;
    readonly update_type?: "created" | "modified" | "deleted";
    readonly content_size?: number;
    readonly previous_hash?: string;
    readonly new_hash?: string;
    /** True when the runtime itself is about to write, so that a hook can still refuse. */
    readonly pending?: boolean;
  };
  PreCompact: {
    readonly trigger?: string;
    readonly token_count?: number;
    readonly custom_instructions?: string;
  };
  PostCompact: {
    readonly trigger?: string;
    readonly summary?: string;
    readonly tokens_before?: number;
    readonly tokens_after?: number;
  };
  Suspend: { readonly pending_tool_calls?: readonly unknown[] };
  Resume: { readonly answers?: unknown };
  Interrupt: { readonly reason?: string };
}

/** An event as the engine itself handles it: whichever it is. */
export type AnyEvent = CommonFields & { readonly hook_event_name: string } & MoreFields;

/** Fields a caller or a foreign agent adds; every hook may look at them. */
type MoreFields = { readonly [field: string]: unknown };

/** An event as hooks see it: complete and frozen. */
export type HookEvent<Name extends string = EventName | OwnEventName> = Name extends EventName
  ? CommonFields & { readonly hook_event_name: Name } & EventFields[Name]
  : CommonFields & { readonly hook_event_name: Name } & MoreFields;

type EngineFields = "event_id" | "seq" | "timestamp";
type CallerFields = Omit<CommonFields, EngineFields | "session_id" | "cwd">;

/** The common part of an event as a caller gives it. */
export type EventContext = { readonly session_id: string; readonly cwd: string } & Partial<CallerFields>;

/** An event as a caller gives it: the engine fills in event_id, seq, timestamp and the other common fields. */
export type EventInput<Name extends string = EventName | OwnEventName> = Name extends EventName
  ? EventContext & { readonly hook_event_name: Name } & EventFields[Name] & MoreFields
  : EventContext & { readonly hook_event_name: Name } & MoreFields;
