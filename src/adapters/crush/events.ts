import type { AgentEvent, ReplyForm } from "../codec/agent-table.ts";
import { contextText } from "../codec/reply-forms.ts";

/** The ways to pass something on to Crush. It ignores all of them next to a `hookSpecificOutput`. */
export const REPLY_FORMS = {
  /** An allow skips the question to the user. The context of a call that does not run goes with the reason. */
  decision: ({ top }, decision) => {
    top.decision = decision.action;
    if (decision.action === "deny")
      top.reason = withContext(decision.reason ?? "Denied by a hook.", contextText(decision));
  },
  /** It ends the turn and does not run the call. */
  halt: ({ top }, decision) => {
    const { action, abort, reason } = decision;
    const why = (action === "deny" ? reason : undefined) ?? abort?.reason ?? "Stopped by a hook.";
    top.halt = true;
    top.reason = withContext(why, contextText(decision));
  },
  /** It puts these fields over those of the call. */
  updated_input: ({ top }, { input, action }) => {
    if (action !== "deny") top.updated_input = input;
  },
  /** The model reads it after the result. */
  context: ({ top }, decision) => {
    if (decision.action !== "deny" && decision.abort === undefined) top.context = contextText(decision);
  },
} as const satisfies Record<string, ReplyForm>;

export type ReplyFormName = keyof typeof REPLY_FORMS;

type CrushEvent = AgentEvent<ReplyFormName>;

function withContext(reason: string, context: string): string {
  return context === "" ? reason : `${reason}\n\n${context}`;
}

/** An event newer than this table may be a gate. */
export const UNKNOWN_EVENT: CrushEvent = {
  says: { deny: "decision", abort: "halt" },
  declares: { effects: ["deny"] },
};

/** The one event of Crush 0.96.1. `ask` is not there: it runs what a hook asks about. */
export const CRUSH_EVENTS: Readonly<Record<string, CrushEvent>> = {
  PreToolUse: {
    event: "PreToolUse",
    says: {
      allow: "decision",
      deny: "decision",
      rewrite: "updated_input",
      context: "context",
      abort: "halt",
    },
  },
};
