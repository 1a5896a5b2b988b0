import { isRecord, parseJson } from "../../core/base/json.ts";
import { PASSED_ON } from "../../core/contracts/passed-on.ts";
import type { NativeKeys } from "../../core/events/outcomes.ts";
import type { Draft, ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS, contextText } from "../codec/reply-forms.ts";
import { fittedOutput } from "./fit-output.ts";

/** The ways to pass something on to Claude Code. */
export const REPLY_FORMS = {
  ...COMMON_FORMS,
  /** A refused PermissionRequest that also ends the run. */
  interrupt: ({ specific }, { reason, abort }) => {
    const message = reason ?? abort?.reason;
    specific.decision = {
      behavior: "deny",
      ...(message === undefined ? {} : { message }),
      interrupt: true,
    };
  },
  updated_output: ({ specific }, { output }, payload) => {
    specific.updatedToolOutput = fittedOutput(output, payload)?.output;
  },
  display_content: ({ specific }, { output }) => {
    specific.displayContent = output;
  },
  plain_text: (draft, decision) => {
    const text = contextText(decision);
    draft.text = isReply(text) ? `Context:\n${text}` : text;
  },
  /** `{ action: accept | decline | cancel, content? }`. */
  elicitation: ({ specific }, { answer, action }) => {
    if (isRecord(answer) && action !== "deny")
      Object.assign(specific, { action: answer.action, content: answer.content });
  },
  /** There is no place for the reason. */
  decline: ({ specific, messages }, { reason }) => {
    specific.action = "decline";
    if (reason !== undefined) messages.push(reason);
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

/** True for a text that is read as a JSON reply. */
function isReply(text: string): boolean {
  return isRecord(parseJson(text));
}
