import { isRecord } from "../core/base/json.ts";
import type { ApprovalRequest } from "../core/contracts/approval.ts";

/** What a human is asked to agree to, by its kind. */
export const APPROVAL_TITLES: Readonly<Record<ApprovalRequest["kind"], string>> = {
  permission: "This call needs your permission",
  plan: "The agent asks you to agree to its plan",
  model_switch: "The agent wants to use another model",
  turn_hook: "A program of .agent/hook.toml that is not trusted wants to run",
};

/** What would be granted for the session; `undefined` when it can only be allowed once. */
export function lastingText({ kind, subject, suggestions = [] }: ApprovalRequest): string | undefined {
  if (kind === "turn_hook") return subject;
  const [first] = suggestions;
  return kind === "permission" && isRecord(first) && typeof first.text === "string" ? first.text : undefined;
}
