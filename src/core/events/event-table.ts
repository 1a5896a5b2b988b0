import type { Effect } from "./effects.ts";

/** What a required field must be. */
export type FieldKind = "text" | "object" | "list" | "anything";

/** What the engine knows about one event. Code reads the row instead of naming events. */
export interface EventRow {
  /** What happened, in one line; for the reference page. */
  readonly summary: string;
  /** The field that names what the event is about: what a matcher looks at first. */
  readonly about: string | null;
  /** What a hook may do. A message to the user and ending the run are always allowed. */
  readonly effects: readonly Effect[];
  /** What a rewrite replaces: fields of the event, each with the field of the decision that carries the new value. */
  readonly rewrites?: Readonly<Record<string, string>>;
  /** True when a refusal stops something from happening: such hooks fail closed, and a rewrite is rechecked. */
  readonly gate: boolean;
  /** The kinds of fields a caller must give in addition to hook_event_name, session_id and cwd. */
  readonly requires: Readonly<Record<string, FieldKind>>;
  /** Values of optional fields a caller left out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Effects that count only when this field of the event is true. */
  readonly only_when?: Readonly<Partial<Record<Effect, string>>>;
  /** What a matcher's `outcome` reads: fixed for the event, or a field of it. */
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

const DEFAULTS = { about: null, effects: [], gate: false, requires: {} } as const;

/** A row with what it does not say: an event about nothing in particular, where hooks can only watch. */
function row<const Given extends Partial<EventRow>>(
  given: Given,
): Omit<typeof DEFAULTS, keyof Given> & Given {
  return { ...DEFAULTS, ...given };
}

/**
 * The one table of events. Adding an event is a row here and its fields in `event-fields.ts`.
 *
 * Verdicts merge the same way on every event (deny > ask > allow > continue); what differs is in the row.
 */
export const EVENTS = {
  SessionStart: row({
    summary: "A session starts, goes on, or was cleared, compacted or forked.",
    about: "source",
    effects: ["context"],
    text_is: "context",
    defaults: { source: "startup" },
  }),
  SessionEnd: row({
    summary: "A session ended; cleanup belongs here.",
    about: "reason",
    inside_run: false,
  }),
  UserPromptSubmit: row({
    summary: "The user sent a prompt and nothing has been done with it yet.",
    effects: ["deny", "rewrite", "context"],
    rewrites: { prompt: "prompt" },
    text_is: "context",
    gate: true,
    counts: "user_prompt",
    requires: { prompt: "text" },
  }),
  TurnStart: row({
    summary: "A turn begins, started by the user or by a hook.",
    effects: ["context", "hook_input"],
    text_is: "context",
    counts: "turn",
  }),
  TurnEnd: row({
    summary: "A turn is over; a hook input given here starts the next one.",
    effects: ["context", "hook_input"],
    starts_turns: true,
  }),
  PreGeneration: row({
    summary: "The agent is about to work on the prompt: before the first model call of a turn.",
    effects: ["deny", "rewrite", "context"],
    rewrites: PROMPT_PARTS,
    gate: true,
  }),
  PostGeneration: row({
    summary: "The agent has its answer.",
  }),
  PreIteration: row({
    summary: "Before each round of the loop; a rewrite holds for this round only.",
    effects: ["deny", "rewrite", "context"],
    rewrites: PROMPT_PARTS,
    gate: true,
  }),
  PostIteration: row({
    summary: "A round of the loop is over.",
  }),
  PreModelRequest: row({
    summary: "A request is about to go to the model.",
    about: "request.model",
    effects: ["rewrite"],
    rewrites: { request: "request" },
  }),
  PostModelResponse: row({
    summary: "The model answered.",
    counts: "model_response",
  }),
  StreamDelta: row({
    summary: "More text came from the model; batched, and never holds the stream up.",
    frequent: true,
  }),
  PreToolUse: row({
    summary: "The agent wants to call a tool.",
    about: "tool_name",
    effects: ["allow", "ask", "deny", "rewrite", "context"],
    rewrites: { tool_input: "input" },
    gate: true,
    counts: "tool_call",
    requires: TOOL_CALL,
  }),
  PermissionRequest: row({
    summary: "A human would be asked whether this call may run.",
    about: "tool_name",
    effects: ["allow", "deny", "rewrite"],
    rewrites: { tool_input: "input" },
    gate: true,
    counts: "tool_call",
    rechecks_with: "PreToolUse",
    requires: TOOL_CALL,
  }),
  PermissionDenied: row({
    summary: "A call was refused.",
    about: "tool_name",
    counts: "tool_call",
    requires: { tool_name: "text" },
  }),
  PostToolUse: row({
    summary: "A tool ran and succeeded; a deny is feedback to the model.",
    about: "tool_name",
    effects: ["deny", "rewrite", "context"],
    rewrites: { tool_response: "output" },
    outcome: "success",
    counts: "tool_call",
    requires: TOOL_CALL,
  }),
  PostToolUseFailure: row({
    summary: "A tool ran and failed.",
    about: "tool_name",
    effects: ["rewrite", "context"],
    rewrites: { error: "error" },
    outcome: "failure",
    refused_by: "context",
    counts: "tool_call",
    requires: TOOL_CALL,
  }),
  PostToolBatch: row({
    summary: "All calls of one message are done.",
    effects: ["context"],
    refused_by: "abort",
    counts: "tool_call",
    requires: { tool_calls: "list" },
  }),
  PostBackgroundToolUse: row({
    summary: "A tool that ran in the background is done.",
    about: "tool_name",
    effects: ["context"],
    counts: "tool_call",
    requires: { tool_name: "text" },
  }),
  AgentStart: row({
    summary: "An agent is about to work on a task.",
    about: "agent_type",
    effects: ["deny"],
    gate: true,
  }),
  AgentStop: row({
    summary: "An agent is done, for whatever reason; it follows every AgentStart.",
    about: "agent_type",
    outcome: { field: "reason", success: "complete" },
  }),
  SubagentStart: row({
    summary: "An agent is about to start a child.",
    about: "agent_type",
    effects: ["deny", "context"],
    gate: true,
  }),
  SubagentStop: row({
    summary: "A child wants to stop.",
    about: "agent_type",
    effects: ["keep_going"],
    refused_by: "keep_going",
  }),
  Stop: row({
    summary: "The agent wants to stop.",
    effects: ["keep_going"],
    refused_by: "keep_going",
    ends_turn: true,
  }),
  AgentPrompt: row({
    summary: "The agent waits for a human: a plan, a question, a permission, or idle.",
    about: "prompt_type",
    effects: ["answer"],
    requires: { prompt_type: "text" },
  }),
  Notification: row({
    summary: "The agent tells the user something.",
    about: "notification_type",
    requires: { message: "text" },
  }),
  Error: row({
    summary: "Something failed: a tool, a model call, a hook, a ceiling.",
    about: "error_type",
    effects: ["retry"],
    requires: { error_type: "text", error_message: "text" },
    defaults: { severity: "error" },
  }),
  Checkpoint: row({
    summary: "The session's state was saved.",
    about: "checkpoint_type",
    requires: { checkpoint_id: "text" },
    defaults: { checkpoint_type: "auto", message_count: 0 },
  }),
  ModelSwitch: row({
    summary: "The session is about to use another model.",
    about: "new_model",
    effects: ["ask", "deny"],
    gate: true,
    requires: { new_model: "text" },
    defaults: { old_model: null, triggered_by: "user" },
  }),
  MemoryUpdate: row({
    summary: "A memory file changed, or is about to be written by the runtime (`pending`).",
    about: "file_path",
    effects: ["deny"],
    requires: { file_path: "text" },
    defaults: { update_type: "modified" },
    only_when: { deny: "pending" },
  }),
  PreCompact: row({
    summary: "The conversation is about to be shortened.",
    about: "trigger",
    effects: ["deny", "context"],
    text_is: "context",
  }),
  PostCompact: row({
    summary: "The conversation was shortened.",
    about: "trigger",
  }),
  Suspend: row({
    summary: "The run stops to wait for a human.",
  }),
  Resume: row({
    summary: "A suspended run goes on.",
  }),
  Interrupt: row({
    summary: "The user interrupted the run.",
  }),
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

/** The events whose hooks may run when this one is decided: itself, the gates that judge a rewrite too, and Error. */
export function eventsAsked(name: string): ReadonlySet<string> {
  const table: Readonly<Record<string, EventRow>> = EVENTS;
  const other = Object.hasOwn(table, name) ? table[name]?.rechecks_with : undefined;
  return new Set([name, "Error", ...(other === undefined ? [] : [other])]);
}
