import type { AgentEventName } from "./agent-names.ts";
import type { CustomEffect, CustomEvents } from "./custom-events.ts";
import { EVENT_FIELDS } from "./event-fields.ts";
import { type EventRow, row } from "./event-row.ts";

const PROMPT_PARTS = { messages: "messages", system_prompt: "system_prompt" } as const;

/**
 * The one table of events. Adding an event is a row here and its fields in `event-fields.ts`.
 *
 * Verdicts merge the same way on every event (deny > ask > allow > continue); what differs is in the row.
 */
export const EVENTS = {
  SessionStart: row(EVENT_FIELDS.SessionStart, {
    summary: "A session starts, resumes, or was cleared, compacted or forked.",
    about: "source",
    effects: ["context"],
    text_is: "context",
    defaults: { source: "startup" },
  }),
  SessionEnd: row(EVENT_FIELDS.SessionEnd, {
    summary: "A session ended; cleanup belongs here.",
    about: "reason",
    inside_run: false,
  }),
  UserPromptSubmit: row(EVENT_FIELDS.UserPromptSubmit, {
    summary: "The user sent a prompt and nothing has been done with it yet.",
    effects: ["deny", "rewrite", "context"],
    rewrites: { prompt: "prompt" },
    text_is: "context",
    gate: true,
    counts: "user_prompt",
  }),
  TurnStart: row(EVENT_FIELDS.TurnStart, {
    summary: "A turn begins, started by the user or by a hook.",
    effects: ["context", "hook_input"],
    text_is: "context",
    counts: "turn",
  }),
  TurnEnd: row(EVENT_FIELDS.TurnEnd, {
    summary: "A turn is over; a hook input given here starts the next one.",
    effects: ["context", "hook_input"],
    starts_turns: true,
  }),
  PreGeneration: row(EVENT_FIELDS.PreGeneration, {
    summary: "The agent is about to work on the prompt: before the first model call of a turn.",
    effects: ["deny", "rewrite", "context"],
    rewrites: PROMPT_PARTS,
    gate: true,
  }),
  PostGeneration: row(EVENT_FIELDS.PostGeneration, {
    summary: "The agent has its answer and has not shown it yet.",
    effects: ["deny", "rewrite"],
    rewrites: { result: "result" },
    gate: true,
  }),
  PreIteration: row(EVENT_FIELDS.PreIteration, {
    summary: "Before each round of the loop; a rewrite holds for this round only.",
    effects: ["deny", "rewrite", "context"],
    rewrites: PROMPT_PARTS,
    gate: true,
  }),
  PostIteration: row(EVENT_FIELDS.PostIteration, {
    summary: "A round of the loop is over.",
  }),
  PreModelRequest: row(EVENT_FIELDS.PreModelRequest, {
    summary: "A request is about to go to the model.",
    about: "request.model",
    effects: ["rewrite"],
    rewrites: { request: "request" },
  }),
  PostModelResponse: row(EVENT_FIELDS.PostModelResponse, {
    summary: "The model answered.",
    counts: "model_response",
  }),
  StreamDelta: row(EVENT_FIELDS.StreamDelta, {
    summary: "More text came from the model; batched, and never holds the stream up.",
    frequent: true,
  }),
  PreToolUse: row(EVENT_FIELDS.PreToolUse, {
    summary: "The agent wants to call a tool.",
    about: "tool_name",
    effects: ["allow", "ask", "deny", "rewrite", "answer", "time_limit", "context"],
    rewrites: { tool_input: "input" },
    gate: true,
    counts: "tool_call",
  }),
  PermissionRequest: row(EVENT_FIELDS.PermissionRequest, {
    summary: "A human would be asked whether this call may run.",
    about: "tool_name",
    effects: ["allow", "deny", "rewrite"],
    rewrites: { tool_input: "input" },
    gate: true,
    counts: "tool_call",
    rechecks_with: "PreToolUse",
  }),
  PermissionDenied: row(EVENT_FIELDS.PermissionDenied, {
    summary: "A call was refused.",
    about: "tool_name",
    counts: "tool_call",
  }),
  PostToolUse: row(EVENT_FIELDS.PostToolUse, {
    summary: "A tool ran and succeeded; a deny is feedback to the model.",
    about: "tool_name",
    effects: ["deny", "rewrite", "context"],
    rewrites: { tool_response: "output" },
    outcome: "success",
    counts: "tool_call",
  }),
  PostToolUseFailure: row(EVENT_FIELDS.PostToolUseFailure, {
    summary: "A tool ran and failed.",
    about: "tool_name",
    effects: ["rewrite", "context"],
    rewrites: { error: "error" },
    outcome: "failure",
    refused_by: "context",
    counts: "tool_call",
  }),
  PostToolBatch: row(EVENT_FIELDS.PostToolBatch, {
    summary: "All calls of one message are done.",
    effects: ["context"],
    refused_by: "abort",
    counts: "tool_call",
  }),
  PostBackgroundToolUse: row(EVENT_FIELDS.PostBackgroundToolUse, {
    summary: "A tool that ran in the background is done.",
    about: "tool_name",
    effects: ["context"],
    counts: "tool_call",
  }),
  AgentStart: row(EVENT_FIELDS.AgentStart, {
    summary: "An agent is about to work on a task.",
    about: "agent_type",
    effects: ["deny"],
    gate: true,
  }),
  AgentStop: row(EVENT_FIELDS.AgentStop, {
    summary: "An agent is done, for whatever reason; it follows every AgentStart.",
    about: "agent_type",
    outcome: { field: "reason", success: "complete" },
  }),
  SubagentStart: row(EVENT_FIELDS.SubagentStart, {
    summary: "An agent is about to start a child.",
    about: "agent_type",
    effects: ["deny", "context"],
    gate: true,
  }),
  SubagentStop: row(EVENT_FIELDS.SubagentStop, {
    summary: "A child wants to stop.",
    about: "agent_type",
    effects: ["keep_going"],
    refused_by: "keep_going",
  }),
  Stop: row(EVENT_FIELDS.Stop, {
    summary: "The agent wants to stop.",
    effects: ["keep_going"],
    refused_by: "keep_going",
    ends_turn: true,
  }),
  AgentPrompt: row(EVENT_FIELDS.AgentPrompt, {
    summary: "The agent waits for a human: a plan, a question, a permission, or idle.",
    about: "prompt_type",
    effects: ["answer"],
  }),
  Notification: row(EVENT_FIELDS.Notification, {
    summary: "The agent tells the user something.",
    about: "notification_type",
  }),
  Error: row(EVENT_FIELDS.Error, {
    summary: "Something failed: a tool, a model call, a hook, a ceiling.",
    about: "error_type",
    effects: ["retry"],
    defaults: { severity: "error" },
  }),
  Checkpoint: row(EVENT_FIELDS.Checkpoint, {
    summary: "The session's state was saved. An agent without a store saves nothing and has no checkpoints.",
    about: "checkpoint_type",
    defaults: { checkpoint_type: "auto", message_count: 0 },
  }),
  ModelSwitch: row(EVENT_FIELDS.ModelSwitch, {
    summary: "The session is about to use its first model, or another one.",
    about: "new_model",
    effects: ["ask", "deny"],
    gate: true,
    defaults: { old_model: null, triggered_by: "user" },
  }),
  ModeChanged: row(EVENT_FIELDS.ModeChanged, {
    summary: "The permission mode has changed, for example when a plan was approved.",
    about: "new_mode",
  }),
  SkillLoaded: row(EVENT_FIELDS.SkillLoaded, {
    summary: "The agent has loaded a skill: its instructions are part of the conversation now.",
    about: "skill_name",
  }),
  GoalProgress: row(EVENT_FIELDS.GoalProgress, {
    summary: "A model that judges whether the agent may stop has given its verdict.",
    about: "hook",
  }),
  MemoryUpdate: row(EVENT_FIELDS.MemoryUpdate, {
    summary: "A memory file changed, or is about to be written by the runtime (`pending`).",
    about: "file_path",
    effects: ["deny"],
    defaults: { update_type: "modified" },
    only_when: { deny: "pending" },
  }),
  PreCompact: row(EVENT_FIELDS.PreCompact, {
    summary: "The conversation is about to be shortened.",
    about: "trigger",
    effects: ["deny", "context"],
    text_is: "context",
  }),
  PostCompact: row(EVENT_FIELDS.PostCompact, {
    summary: "The conversation was shortened.",
    about: "trigger",
  }),
  Suspend: row(EVENT_FIELDS.Suspend, {
    summary: "The run stops to wait for a human.",
  }),
  Resume: row(EVENT_FIELDS.Resume, {
    summary: "A suspended run resumes.",
  }),
  Interrupt: row(EVENT_FIELDS.Interrupt, {
    summary: "The user interrupted the run.",
  }),
} as const satisfies Readonly<Record<keyof typeof EVENT_FIELDS, EventRow>>;

/** The name of an event of the table. */
export type EventName = keyof typeof EVENTS;

/** An event of the caller (`custom:deploy`) or one that a single agent has (`claude:ConfigChange`). */
export type OwnEventName<Events = CustomEvents> = (keyof Events & string) | AgentEventName;

/** Every event that hooks can be for. */
export type AnyEventName<Events = CustomEvents> = EventName | OwnEventName<Events>;

/** The effects an event allows, as a type: a message everywhere, an end of the run wherever there is one. */
export type EffectOf<Name extends string, Events = CustomEvents> = Name extends EventName
  ?
      | (typeof EVENTS)[Name]["effects"][number]
      | "user_message"
      | ((typeof EVENTS)[Name] extends { readonly inside_run: false } ? never : "abort")
  : CustomEffect<Name, Events> | "user_message" | "abort";

export function eventRow(name: string): EventRow | undefined {
  const table: Readonly<Record<string, EventRow>> = EVENTS;
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The row of an event; an agent's own event counts as one to observe. */
export function assumedRow(name: string): EventRow {
  return eventRow(name) ?? EVENTS.Notification;
}

/** True for an event of the table where a refusal stops something. */
export function isGateEvent(name: string): boolean {
  return eventRow(name)?.gate === true;
}

/** The events whose hooks may run when this one is decided: itself, the gates that judge a rewrite too, and Error. */
export function eventsAsked(name: string): ReadonlySet<string> {
  const other = eventRow(name)?.rechecks_with;
  return new Set([name, "Error", ...(other === undefined ? [] : [other])]);
}
