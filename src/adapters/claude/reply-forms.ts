import { isRecord } from "../../core/base/json.ts";
import { PASSED_ON } from "../../core/contracts/passed-on.ts";
import type { Decision } from "../../core/decide/decision.ts";
import type { NativeKeys } from "../../core/events/outcomes.ts";
import { fittedOutput } from "./fit-output.ts";

/** A reply under construction. */
export interface Draft {
  /** Top-level keys of the JSON reply. */
  readonly top: Record<string, unknown>;
  /** `hookSpecificOutput` without its `hookEventName`. */
  readonly specific: Record<string, unknown>;
  /** Written as it is when there is no JSON reply. */
  text: string;
  stderr: string;
  exit_code: number;
}

/** Writes one part of a decision into the reply. */
type ReplyForm = (draft: Draft, decision: Decision, payload: unknown) => void;

/** The ways to pass something on to Claude Code. */
export const REPLY_FORMS = {
  /** PreToolUse, PreModelSwitch. */
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
      action === "deny"
        ? { behavior: "deny", ...(reason === undefined ? {} : { message: reason }) }
        : { behavior: "allow", ...(input === undefined ? {} : { updatedInput: input }) };
  },
  /** A refused PermissionRequest that also ends the run. */
  interrupt: ({ specific }, { reason, abort }) => {
    const message = reason ?? abort?.reason;
    specific.decision = {
      behavior: "deny",
      ...(message === undefined ? {} : { message }),
      interrupt: true,
    };
  },
  stop: ({ top }, { reason, abort }) => {
    top.continue = false;
    const why = abort?.reason ?? reason;
    if (why !== undefined) top.stopReason = why;
  },
  /** The input of a PermissionRequest is part of the allow. */
  behavior_input: () => undefined,
  /** On Stop and SubagentStop the agent goes on with the reason as input; elsewhere it is a refusal. */
  block: ({ top }, { reason, keep_going }) => {
    top.decision = "block";
    const why = keep_going?.reason ?? reason;
    if (why !== undefined) top.reason = why;
  },
  updated_output: ({ specific }, { output }, payload) => {
    specific.updatedToolOutput = fittedOutput(output, payload)?.output;
  },
  display_content: ({ specific }, { output }) => {
    specific.displayContent = output;
  },
  additional_context: ({ specific }, decision) => {
    specific.additionalContext = contextText(decision);
  },
  plain_text: (draft, decision) => {
    const text = contextText(decision);
    // Output that starts with a brace is read as a JSON reply.
    draft.text = text.trimStart().startsWith("{") ? `Context:\n${text}` : text;
  },
  exit_2: (draft, { reason, keep_going }) => {
    draft.exit_code = 2;
    draft.stderr = keep_going?.reason ?? reason ?? "Denied by a hook.";
  },
  /** `{ action: accept | decline | cancel, content? }`. */
  elicitation: ({ specific }, { answer, action }) => {
    if (isRecord(answer) && action !== "deny")
      Object.assign(specific, { action: answer.action, content: answer.content });
  },
  decline: ({ specific }) => {
    specific.action = "decline";
  },
  /** WorktreeCreate reads the path from stdout as it is. */
  path: (draft, { answer }) => {
    draft.text = typeof answer === "string" ? answer : "";
  },
} as const satisfies Record<string, ReplyForm>;

/** Adds what hooks say to Claude Code alone. A deferred call is one that asks; nothing else changes what was decided. */
export function addPassedOn(
  { top, specific }: Draft,
  { hookSpecificOutput: own, ...others }: NativeKeys,
): void {
  Object.assign(top, passedOn(others));
  if (!isRecord(own)) return;
  Object.assign(specific, passedOn(own));
  if (own.permissionDecision === "defer" && specific.permissionDecision === "ask")
    specific.permissionDecision = "defer";
  const { decision } = specific;
  if (isRecord(own.decision) && isRecord(decision) && decision.behavior === "allow")
    specific.decision = { ...decision, ...passedOn(own.decision) };
}

function passedOn(keys: NativeKeys): NativeKeys {
  return Object.fromEntries(Object.entries(keys).filter(([key]) => PASSED_ON.has(key)));
}

export type ReplyFormName = keyof typeof REPLY_FORMS;

function contextText({ context }: Decision): string {
  return context.map(({ text }) => text).join("\n\n");
}
