import { TRUST_WAY_OUT } from "../../core/base/untrusted.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { Loss, NativeReply } from "../adapter.ts";
import type { AgentTable, Draft, ReplyForm } from "./agent-table.ts";

/** Ways to reply that several agents copied from Claude Code. Each agent's table says which of them it takes, and where. */
export const COMMON_FORMS = {
  /** A verdict on a call. */
  permission: ({ specific }, { action, reason }) => {
    specific.permissionDecision = action;
    if (reason !== undefined) specific.permissionDecisionReason = reason;
  },
  updated_input: ({ specific }, { input }) => {
    specific.updatedInput = input;
  },
  /** PermissionRequest: an allow may carry another input, a deny a message. */
  behavior: ({ specific }, { action, reason, input }) => {
    specific.decision =
      action === "deny" ? { behavior: "deny", message: reason } : { behavior: "allow", updatedInput: input };
  },
  /** The input of a PermissionRequest is part of the allow. */
  behavior_input: () => undefined,
  stop: ({ top }, { reason, abort }) => {
    top.continue = false;
    const why = abort?.reason ?? reason;
    if (why !== undefined) top.stopReason = why;
  },
  /** On Stop and SubagentStop the agent goes on with the reason as input; elsewhere it is a refusal. */
  block: ({ top }, { reason, keep_going }) => {
    top.decision = "block";
    const why = keep_going?.reason ?? reason;
    if (why !== undefined) top.reason = why;
  },
  additional_context: ({ specific }, decision) => {
    specific.additionalContext = contextText(decision);
  },
  exit_2: (draft, { reason, keep_going }) => {
    draft.exit_code = 2;
    draft.stderr = keep_going?.reason ?? reason ?? "Denied by a hook.";
  },
} as const satisfies Record<string, ReplyForm>;

/** All context of a decision as one text. */
export function contextText({ context }: Decision): string {
  return context.map(({ text }) => text).join("\n\n");
}

/** What the model reads in place of a result, with the context, which would be lost with the result. */
export function insteadOfResult(decision: Decision): string {
  const { reason, output } = decision;
  const text = reason ?? (typeof output === "string" ? output : (JSON.stringify(output) ?? ""));
  const parts = [text, contextText(decision)].filter((part) => part !== "");
  return parts.join("\n\n") || "The result is empty.";
}

/**
 * A reason with the messages, for the model: it must not read how to trust. A failure is both the reason and a message to
 * the user, so repeated lines are dropped.
 */
export function withMessages(reason: string, messages: readonly string[]): string {
  const known = reason.split("\n");
  const others = messages
    .flatMap((message) => message.split("\n"))
    .filter((line) => !known.includes(line) && !line.endsWith(TRUST_WAY_OUT));
  return [reason, ...others].join("\n");
}

/** The loss of messages that the agent does not show its user. */
export function unseenMessages(message: string): Loss {
  return { effect: "user_message", became: "observe", message };
}

/** The JSON reply that several agents copied from Claude Code: messages and `hookSpecificOutput` are keys of it. */
export function jsonReply(
  { top, specific, messages, text }: Draft,
  native: string,
  losses: readonly Loss[],
): NativeReply {
  if (messages.length > 0) top.systemMessage = messages.join("\n");
  if (Object.keys(specific).length > 0) top.hookSpecificOutput = { hookEventName: native, ...specific };
  const stdout = Object.keys(top).length > 0 ? JSON.stringify(top) : text;
  return { stdout, stderr: "", exit_code: 0, losses };
}

/** The JSON reply, or a refusal by exit code, with which only stderr is read. */
export function jsonOrExitCode(draft: Draft, native: string, losses: readonly Loss[]): NativeReply {
  const { stderr, exit_code, messages } = draft;
  if (exit_code !== 0) return { stdout: "", stderr: [stderr, ...messages].join("\n"), exit_code, losses };
  return jsonReply(draft, native, losses);
}

/**
 * Writes the JSON reply for an agent that shows its user no message of a hook. Messages are in the journal, and on
 * stderr for the agent's log. `silence` is written when there is nothing to say.
 */
export function writesWithoutMessages(title: string, silence = ""): AgentTable["write"] {
  const unseen = unseenMessages(`${title} shows the user no message of a hook.`);
  return ({ top, messages }: Draft, _native, losses): NativeReply => ({
    stdout: Object.keys(top).length > 0 ? JSON.stringify(top) : silence,
    stderr: messages.join("\n"),
    exit_code: 0,
    losses: messages.length === 0 ? losses : [...losses, unseen],
  });
}
