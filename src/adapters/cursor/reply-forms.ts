import type { ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS, contextText } from "../codec/reply-forms.ts";

/** The ways to pass something on to Cursor. All keys are at the top. */
export const CURSOR_FORMS = {
  exit_2: COMMON_FORMS.exit_2,
  /** The user and the model read `user_message`; nobody reads `agent_message`. */
  permission: ({ top }, { action, reason }) => {
    top.permission = action;
    if (action === "deny") top.user_message = reason ?? "Denied by a hook.";
  },
  continue_false: ({ top }, { reason, abort }) => {
    top.continue = false;
    top.user_message = abort?.reason ?? reason ?? "Stopped by a hook.";
  },
  updated_input: ({ top }, { input }) => {
    top.updated_input = input;
  },
  /** The input is as it has to be already. */
  unchanged_input: () => undefined,
  additional_context: ({ top }, decision) => {
    top.additional_context = [top.additional_context ?? [], contextText(decision)].flat().join("\n\n");
  },
  /** A refusal of what has happened: the model reads why. */
  feedback: ({ top }, { reason }) => {
    top.additional_context = reason ?? "Refused by a hook.";
  },
  followup: ({ top }, { reason, keep_going }) => {
    top.followup_message = keep_going?.reason ?? reason ?? "Go on.";
  },
} as const satisfies Record<string, ReplyForm>;

export type CursorForm = keyof typeof CURSOR_FORMS;
