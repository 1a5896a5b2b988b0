import type { Effect } from "./effects.ts";

/** What a required field must be. */
export type FieldKind = "text" | "object" | "list" | "anything";

/** What the engine knows of one event. Code reads the row instead of naming events. */
export interface EventRow {
  /** What it tells, in one line; the reference page is made from it. */
  readonly summary: string;
  /** The field that names what the event is about: what a matcher looks at first. */
  readonly about: string | null;
  /** What a hook may do, beside a message to the user and ending the run, which are allowed everywhere. */
  readonly effects: readonly Effect[];
  /** What a rewrite replaces: fields of the event, each with the field of the decision that carries the new value. */
  readonly rewrites?: Readonly<Record<string, string>>;
  /** True when a refusal stops something from happening: such hooks fail closed, and a rewrite is rechecked. */
  readonly gate: boolean;
  /** Fields a caller must give, beside hook_event_name, session_id and cwd, and what they must be. */
  readonly requires: Readonly<Record<string, FieldKind>>;
  /** Values of optional fields a caller left out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Effects that count only when this field of the event is true. */
  readonly only_when?: Readonly<Partial<Record<Effect, string>>>;
  /** What a matcher's `outcome` reads: fixed for the event, or told by a field. */
  readonly outcome?: "success" | "failure" | { readonly field: string; readonly success: string };
  /** What the ceilings count it as. */
  readonly counts?: "tool_call" | "turn" | "user_prompt" | "model_response";
  /** After a rewrite here, the gates of this other event are asked about the final input too. */
  readonly rechecks_with?: string;
  /** What a refusal by a program or a model means where nothing can be denied; without it, it is shown to the user. */
  readonly refused_by?: "keep_going" | "context" | "abort";
  /** What plain text of a program is here; elsewhere it is shown to the user. */
  readonly text_is?: "context" | "answer";
  /** A hook input given here starts a turn of its own. */
  readonly starts_turns?: true;
  /** The turn is over unless a hook keeps it going. */
  readonly ends_turn?: true;
  /** Comes many times a second: records leave it out when no hook ran. */
  readonly frequent?: true;
  /** False for an event after which nothing is left to end. */
  readonly inside_run?: false;
}

const TOOL_CALL = { tool_name: "text", tool_input: "object" } as const;
const PROMPT_PARTS = { messages: "messages", system_prompt: "system_prompt" } as const;

/**
 * The one table of events. Adding an event is a row here and a payload type in `event-types.ts`.
 *
 * Verdicts merge the same way on every event (deny > ask > allow > continue); what differs is in the row.
 */
export const EVENTS = {
  SessionStart: {
    summary: "A session starts, goes on, or was cleared, compacted or forked.",
    about: "source",
    effects: ["context"],
    text_is: "context",
    gate: false,
    requires: {},
    defaults: { source: "startup" },
  },
  SessionEnd: {
    summary: "A session ended; cleanup belongs here.",
    about: "reason",
    effects: [],
    gate: false,
    requires: {},
    inside_run: false,
  },
  UserPromptSubmit: {
    summary: "The user sent a prompt and nothing has been done with it yet.",
    about: null,
    effects: ["deny", "rewrite", "context"],
    rewrites: { prompt: "prompt" },
    text_is: "context",
    gate: true,
    counts: "user_prompt",
    requires: { prompt: "text" },
  },
  TurnStart: {
    summary: "A turn begins, started by the user or by a hook.",
    about: null,
    effects: ["context", "hook_input"],
    text_is: "context",
    gate: false,
    counts: "turn",
    requires: {},
  },
  TurnEnd: {
    summary: "A turn is over; a hook input given here starts the next one.",
    about: null,
    effects: ["context", "hook_input"],
    gate: false,
    starts_turns: true,
    requires: {},
  },
  PreGeneration: {
    summary: "The agent is about to work on the prompt: before the first model call of a turn.",
    about: null,
    effects: ["deny", "rewrite", "context"],
    rewrites: PROMPT_PARTS,
    gate: true,
    requires: {},
  },
  PostGeneration: {
    summary: "The agent has its answer.",
    about: null,
    effects: [],
    gate: false,
    requires: {},
  },
  PreIteration: {
    summary: "Before each round of the loop; a rewrite holds for this round only.",
    about: null,
    effects: ["deny", "rewrite", "context"],
    rewrites: PROMPT_PARTS,
    gate: true,
    requires: {},
  },
  PostIteration: {
    summary: "A round of the loop is over.",
    about: null,
    effects: [],
    gate: false,
    requires: {},
  },
  PreModelRequest: {
    summary: "A request is about to go to the model.",
    about: "request.model",
    effects: ["rewrite"],
    rewrites: { request: "request" },
    gate: false,
    requires: {},
  },
  PostModelResponse: {
    summary: "The model answered.",
    about: null,
    effects: [],
    gate: false,
    counts: "model_response",
    requires: {},
  },
  StreamDelta: {
    summary: "More text came from the model; batched, and never holds the stream up.",
    about: null,
    effects: [],
    gate: false,
    requires: {},
    frequent: true,
  },
  PreToolUse: {
    summary: "The agent wants to call a tool.",
    about: "tool_name",
    effects: ["allow", "ask", "deny", "rewrite", "context"],
    rewrites: { tool_input: "input" },
    gate: true,
    counts: "tool_call",
    requires: TOOL_CALL,
  },
  PermissionRequest: {
    summary: "A human would be asked whether this call may run.",
    about: "tool_name",
    effects: ["allow", "deny", "rewrite"],
    rewrites: { tool_input: "input" },
    gate: true,
    counts: "tool_call",
    rechecks_with: "PreToolUse",
    requires: TOOL_CALL,
  },
  PermissionDenied: {
    summary: "A call was refused.",
    about: "tool_name",
    effects: [],
    gate: false,
    counts: "tool_call",
    requires: { tool_name: "text" },
  },
  PostToolUse: {
    summary: "A tool ran and succeeded; a deny is feedback to the model.",
    about: "tool_name",
    effects: ["deny", "rewrite", "context"],
    rewrites: { tool_response: "output" },
    outcome: "success",
    gate: false,
    counts: "tool_call",
    requires: TOOL_CALL,
  },
  PostToolUseFailure: {
    summary: "A tool ran and failed.",
    about: "tool_name",
    effects: ["rewrite", "context"],
    rewrites: { error: "error" },
    outcome: "failure",
    refused_by: "context",
    gate: false,
    counts: "tool_call",
    requires: TOOL_CALL,
  },
  PostToolBatch: {
    summary: "All calls of one message are done.",
    about: null,
    effects: ["context"],
    refused_by: "abort",
    gate: false,
    counts: "tool_call",
    requires: { tool_calls: "list" },
  },
  PostBackgroundToolUse: {
    summary: "A tool that ran in the background is done.",
    about: "tool_name",
    effects: ["context"],
    gate: false,
    counts: "tool_call",
    requires: { tool_name: "text" },
  },
  AgentStart: {
    summary: "An agent is about to work on a task.",
    about: "agent_type",
    effects: ["deny"],
    gate: true,
    requires: {},
  },
  AgentStop: {
    summary: "An agent is done, for whatever reason; it follows every AgentStart.",
    about: "agent_type",
    effects: [],
    outcome: { field: "reason", success: "complete" },
    gate: false,
    requires: {},
  },
  SubagentStart: {
    summary: "An agent is about to start a child.",
    about: "agent_type",
    effects: ["deny", "context"],
    gate: true,
    requires: {},
  },
  SubagentStop: {
    summary: "A child wants to stop.",
    about: "agent_type",
    effects: ["keep_going"],
    refused_by: "keep_going",
    gate: false,
    requires: {},
  },
  Stop: {
    summary: "The agent wants to stop.",
    about: null,
    effects: ["keep_going"],
    refused_by: "keep_going",
    gate: false,
    ends_turn: true,
    requires: {},
  },
  AgentPrompt: {
    summary: "The agent waits for a human: a plan, a question, a permission, or idle.",
    about: "prompt_type",
    effects: ["answer"],
    gate: false,
    requires: { prompt_type: "text" },
  },
  Notification: {
    summary: "The agent tells the user something.",
    about: "notification_type",
    effects: [],
    gate: false,
    requires: { message: "text" },
  },
  Error: {
    summary: "Something failed: a tool, a model call, a hook, a ceiling.",
    about: "error_type",
    effects: ["retry"],
    gate: false,
    requires: { error_type: "text", error_message: "text" },
    defaults: { severity: "error" },
  },
  Checkpoint: {
    summary: "The session's state was saved.",
    about: "checkpoint_type",
    effects: [],
    gate: false,
    requires: { checkpoint_id: "text" },
    defaults: { checkpoint_type: "auto", message_count: 0 },
  },
  ModelSwitch: {
    summary: "The session is about to use another model.",
    about: "new_model",
    effects: ["ask", "deny"],
    gate: true,
    requires: { new_model: "text" },
    defaults: { old_model: null, triggered_by: "user" },
  },
  MemoryUpdate: {
    summary: "A memory file changed, or is about to be written by the runtime (`pending`).",
    about: "file_path",
    effects: ["deny"],
    gate: false,
    requires: { file_path: "text" },
    defaults: { update_type: "modified" },
    only_when: { deny: "pending" },
  },
  PreCompact: {
    summary: "The conversation is about to be shortened.",
    about: "trigger",
    effects: ["deny", "context"],
    text_is: "context",
    gate: false,
    requires: {},
  },
  PostCompact: {
    summary: "The conversation was shortened.",
    about: "trigger",
    effects: [],
    gate: false,
    requires: {},
  },
  Suspend: {
    summary: "The run stops to wait for a human.",
    about: null,
    effects: [],
    gate: false,
    requires: {},
  },
  Resume: {
    summary: "A suspended run goes on.",
    about: null,
    effects: [],
    gate: false,
    requires: {},
  },
  Interrupt: {
    summary: "The user interrupted the run.",
    about: null,
    effects: [],
    gate: false,
    requires: {},
  },
} as const satisfies Record<string, EventRow>;

/** The name of an event of the table. */
export type EventName = keyof typeof EVENTS;

/** An event of the caller (`custom:deploy`) or one that a single agent has (`claude:ConfigChange`). */
export type OwnEventName = `${string}:${string}`;

/** The effects that every event allows. */
export type CommonEffect = "user_message" | "abort";

/** The effects an event allows, as a type. */
export type EffectOf<Name extends string> = Name extends EventName
  ? (typeof EVENTS)[Name]["effects"][number] | CommonEffect
  : Effect;

/** True for an event of the table where a refusal stops something. */
export function isGateEvent(name: string): boolean {
  const table: Readonly<Record<string, EventRow>> = EVENTS;
  return Object.hasOwn(table, name) && table[name]?.gate === true;
}

/** The events whose hooks are asked when this one is decided: it, the gates that judge a rewrite too, and what a failing hook raises. */
export function eventsAsked(name: string): ReadonlySet<string> {
  const table: Readonly<Record<string, EventRow>> = EVENTS;
  const other = Object.hasOwn(table, name) ? table[name]?.rechecks_with : undefined;
  return new Set([name, "Error", ...(other === undefined ? [] : [other])]);
}
