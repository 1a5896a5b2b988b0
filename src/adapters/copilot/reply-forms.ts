import { isRecord } from "../../core/base/json.ts";
import type { ReplyForm } from "../codec/agent-table.ts";
import { COMMON_FORMS, contextText } from "../codec/reply-forms.ts";

/** The ways to pass something on to Copilot. All keys are at the top: there it reads them in both of its dialects. */
export const COPILOT_FORMS = {
  block: COMMON_FORMS.block,
  permission: ({ top }, { action, reason }) => {
    top.permissionDecision = action;
    if (reason !== undefined) top.permissionDecisionReason = reason;
  },
  /** PermissionRequest. */
  behavior: ({ top }, { action, reason }) => {
    top.behavior = action === "deny" ? "deny" : "allow";
    if (action === "deny" && reason !== undefined) top.message = reason;
  },
  modified_args: ({ top }, { input }) => {
    top.modifiedArgs = input;
  },
  modified_prompt: ({ top }, { prompt }) => {
    top.modifiedPrompt = prompt;
  },
  modified_result: ({ top }, { output }) => {
    top.modifiedResult = { resultType: "success", textResultForLlm: resultText(output) };
  },
  additional_context: ({ top }, decision) => {
    top.additionalContext = contextText(decision);
  },
} as const satisfies Record<string, ReplyForm>;

export type CopilotForm = keyof typeof COPILOT_FORMS;

/** A result as the model reads it: Copilot has texts only. */
function resultText(output: unknown): string {
  if (typeof output === "string") return output;
  const text: unknown = isRecord(output)
    ? (output.text_result_for_llm ?? output.textResultForLlm)
    : undefined;
  return typeof text === "string" ? text : JSON.stringify(output);
}
