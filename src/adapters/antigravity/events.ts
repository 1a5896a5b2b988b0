import type { AgentEvent, ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS, contextText } from "../codec/reply-forms.ts";

/** The ways to pass something on to Antigravity CLI. A key that it does not know refuses a call. */
export const REPLY_FORMS = {
  exit_2: COMMON_FORMS.exit_2,
  decision: ({ top }, { action, reason }) => {
    top.decision = action;
    if (reason !== undefined) top.reason = reason;
  },
  inject_steps: ({ top }, decision) => {
    top.injectSteps = [{ ephemeralMessage: contextText(decision) }];
  },
  continue: ({ top }, { reason, keep_going }) => {
    top.decision = "continue";
    top.reason = keep_going?.reason ?? reason ?? "Go on.";
  },
} as const satisfies Record<string, ReplyForm>;

export type ReplyFormName = keyof typeof REPLY_FORMS;

type AntigravityEvent = AgentEvent<ReplyFormName>;

/** An event newer than this table may be a gate. */
export const UNKNOWN_EVENT: AntigravityEvent = { says: { deny: "exit_2" }, declares: { effects: ["deny"] } };

/**
 * The events of Antigravity CLI that can be distinguished. Payloads name no event, and those of PostToolUse and
 * PostInvocation look like those of PreToolUse and PreInvocation, so that hooks are never called for them.
 *
 * `ask` is not there: it gives way to --dangerously-skip-permissions, and what `force_ask` does then is not known. Nor are
 * rewrites: two forms of `overwrite` are reported, and one of them is dropped without a word.
 */
export const ANTIGRAVITY_EVENTS: Readonly<Record<string, AntigravityEvent>> = {
  SessionStart: { event: "SessionStart", says: { context: "inject_steps" } },
  PreInvocation: {
    says: { context: "inject_steps" },
    declares: { effects: ["context"], summary: "Antigravity is about to ask the model." },
  },
  PreToolUse: { event: "PreToolUse", says: { allow: "decision", deny: "decision" } },
  Stop: {
    event: "Stop",
    renames: { finalModelOutput: "last_assistant_message" },
    says: { keep_going: "continue" },
  },
};

/** Fields that only one of these events has, the gate first. */
const BY_FIELDS: readonly (readonly [event: string, fields: readonly string[]])[] = [
  ["PreToolUse", ["toolCall", "stepIdx"]],
  ["PreInvocation", ["invocationNum", "initialNumSteps"]],
  ["Stop", ["executionNum", "terminationReason", "fullyIdle", "finalModelOutput"]],
];

/** The event of a payload: its name, should a version give one, or what its fields tell. */
export function antigravityEvent(payload: Readonly<Record<string, unknown>>): string | undefined {
  const { hook_event_name, conversationId } = payload;
  if (hook_event_name !== undefined) return typeof hook_event_name === "string" ? hook_event_name : undefined;
  const found = BY_FIELDS.find(([, fields]) => fields.some((field) => Object.hasOwn(payload, field)));
  return found?.[0] ?? (typeof conversationId === "string" ? "SessionStart" : undefined);
}
