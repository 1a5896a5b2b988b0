import type { PermissionMode, ToolAnnotations } from "../../core/contracts/tool.ts";
import type { PermissionDecision } from "./permission-types.ts";

/** What is asked about a call: what it calls, and in which mode. */
interface CallInMode {
  readonly tool_name: string;
  readonly annotations: ToolAnnotations | undefined;
  readonly mode: PermissionMode;
}

/** The refusal of a call that may change something in plan mode. It holds with and without rules. */
export function refusedByPlan({ tool_name, annotations, mode }: CallInMode): PermissionDecision | undefined {
  if (mode !== "plan" || annotations?.read_only === true) return undefined;
  return { action: "deny", reason: `${tool_name} is not read-only, and in plan mode nothing is changed.` };
}
