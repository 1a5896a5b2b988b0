import { canonicalToolName } from "../core/tool-names.ts";

/** What an agent waits for a human for. */
export interface Prompt {
  readonly prompt_type: "plan_approval" | "question" | "permission" | "idle";
  /** The questions, the plan, or what is to be permitted. */
  readonly question?: unknown;
}

type Payload = Readonly<Record<string, unknown>>;

const BY_TOOL: ReadonlyMap<string, Prompt["prompt_type"]> = new Map([
  ["ExitPlanMode", "plan_approval"],
  ["EnterPlanMode", "plan_approval"],
  ["AskUserQuestion", "question"],
]);

const BY_NOTIFICATION: ReadonlyMap<unknown, Prompt["prompt_type"]> = new Map([
  ["permission_prompt", "permission"],
  ["idle_prompt", "idle"],
]);

/** What the call of a tool asks of a human, by any agent's name of the tool; `undefined` for most. */
export function promptOfTool({ tool_name, tool_input }: Payload): Prompt | undefined {
  const prompt_type = typeof tool_name === "string" ? BY_TOOL.get(canonicalToolName(tool_name)) : undefined;
  if (prompt_type === undefined) return undefined;
  const input: Payload = typeof tool_input === "object" && tool_input !== null ? { ...tool_input } : {};
  const question = prompt_type === "question" ? (input.questions ?? input.question) : input.plan;
  return { prompt_type, ...(question === undefined ? {} : { question }) };
}

/** What a notification says an agent waits for; `undefined` for most. */
export function promptOfNotification({ notification_type, message }: Payload): Prompt | undefined {
  const prompt_type = BY_NOTIFICATION.get(notification_type);
  if (prompt_type === undefined) return undefined;
  return { prompt_type, ...(typeof message === "string" ? { question: message } : {}) };
}
