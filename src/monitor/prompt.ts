import { canonicalToolName } from "../core/match/tool-names.ts";

/** What an agent waits for a human for. */
export type PromptType = "plan_approval" | "question" | "permission" | "idle";

/** An agent waits for a human. */
export interface Prompt {
  readonly prompt_type: PromptType;
  /** The questions, the plan, or what is to be permitted. */
  readonly question?: unknown;
}

type Payload = Readonly<Record<string, unknown>>;

const BY_TOOL: ReadonlyMap<string, PromptType> = new Map([
  ["ExitPlanMode", "plan_approval"],
  ["EnterPlanMode", "plan_approval"],
  ["AskUserQuestion", "question"],
]);

const BY_NOTIFICATION: ReadonlyMap<unknown, PromptType> = new Map([
  ["permission_prompt", "permission"],
  ["idle_prompt", "idle"],
]);

const BY_EVENT: ReadonlyMap<unknown, (event: Payload) => Prompt | undefined> = new Map([
  ["PreToolUse", promptOfTool],
  ["PermissionRequest", promptOfPermission],
  ["Notification", promptOfNotification],
]);

/** What an event says an agent waits for; `undefined` for most. */
export function promptOf(event: Payload): Prompt | undefined {
  return BY_EVENT.get(event.hook_event_name)?.(event);
}

/** What the call of a tool asks of a human, by any agent's name of the tool; `undefined` for most. */
export function promptOfTool({ tool_name, tool_input }: Payload): Prompt | undefined {
  const prompt_type = typeof tool_name === "string" ? BY_TOOL.get(canonicalToolName(tool_name)) : undefined;
  if (prompt_type === undefined) return undefined;
  const input: Payload = typeof tool_input === "object" && tool_input !== null ? { ...tool_input } : {};
  const question = prompt_type === "question" ? (input.questions ?? input.question) : input.plan;
  return { prompt_type, ...(question === undefined ? {} : { question }) };
}

function promptOfPermission(event: Payload): Prompt {
  const { tool_name, tool_input } = event;
  // The permission to ask is no other prompt than the question.
  return promptOfTool(event) ?? { prompt_type: "permission", question: { tool_name, tool_input } };
}

/** What a notification says an agent waits for; `undefined` for most. */
export function promptOfNotification({ notification_type, message }: Payload): Prompt | undefined {
  const prompt_type = BY_NOTIFICATION.get(notification_type);
  if (prompt_type === undefined) return undefined;
  return { prompt_type, ...(typeof message === "string" ? { question: message } : {}) };
}
