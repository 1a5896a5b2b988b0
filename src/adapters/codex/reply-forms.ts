import type { ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS } from "../codec/reply-forms.ts";

/** The ways to pass something on to Codex. It rejects a reply with a key it does not know, and then runs the tool. */
export const CODEX_FORMS = {
  permission: COMMON_FORMS.permission,
  block: COMMON_FORMS.block,
  stop: COMMON_FORMS.stop,
  additional_context: COMMON_FORMS.additional_context,
  exit_2: COMMON_FORMS.exit_2,
  /** A bare allow is an invalid reply: where it is heard, the call runs unasked anyway. */
  allow: () => undefined,
  /** A new input counts only together with an allow. */
  allowed_input: ({ specific }, { action, input }) => {
    if (action === "deny") return;
    specific.permissionDecision = "allow";
    specific.updatedInput = input;
  },
  behavior: ({ specific }, { action, reason }) => {
    specific.decision =
      action === "deny"
        ? { behavior: "deny", ...(reason === undefined ? {} : { message: reason }) }
        : { behavior: "allow" };
  },
  /** The reason of a block takes the place of the result. It can't be empty: the old result would stay. */
  replaced_output: ({ top }, { action, output }) => {
    if (action === "deny") return;
    top.decision = "block";
    top.reason = (typeof output === "string" ? output : JSON.stringify(output)) || "The result is empty.";
  },
} as const satisfies Record<string, ReplyForm>;

export type CodexFormName = keyof typeof CODEX_FORMS;
