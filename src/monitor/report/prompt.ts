import { isRecord } from "../../core/base/json.ts";
import { PROMPT_TYPES, type PromptType } from "../../core/contracts/questions.ts";
import { canonicalToolName } from "../../core/match/tool-names.ts";
import { checksum } from "../../node/checksum.ts";
import { createRedactor } from "../../node/records/redact.ts";
import { secondsOf } from "../../shared/duration.ts";
import type { MonitorSettings } from "../../shared/monitor/settings.ts";
import { SOURCE_OF_PROMPT } from "./sources.ts";

export interface Prompt {
  readonly prompt_type: PromptType;
  /** The questions, the plan, or the call to permit. */
  readonly question?: unknown;
}

type Payload = Readonly<Record<string, unknown>>;

/** The tools with which an agent asks a human. */
const PROMPT_TOOLS: ReadonlyMap<string, PromptType> = new Map([
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

/** The prompt that an event reports; `undefined` for most events. */
export function promptOf(event: Payload): Prompt | undefined {
  return BY_EVENT.get(event.hook_event_name)?.(event);
}

/** The prompt of a tool call, by any agent's name of the tool; `undefined` for most calls. */
export function promptOfTool({ tool_name, tool_input }: Payload): Prompt | undefined {
  const prompt_type =
    typeof tool_name === "string" ? PROMPT_TOOLS.get(canonicalToolName(tool_name)) : undefined;
  if (prompt_type === undefined) return undefined;
  const input: Payload = isRecord(tool_input) ? tool_input : {};
  const question = prompt_type === "question" ? (input.questions ?? input.question) : input.plan;
  return { prompt_type, question };
}

function promptOfPermission(event: Payload): Prompt {
  const { tool_name, tool_input } = event;
  // A request for permission to ask is the question itself.
  return promptOfTool(event) ?? { prompt_type: "permission", question: { tool_name, tool_input } };
}

export function promptOfNotification({ notification_type, message }: Payload): Prompt | undefined {
  const prompt_type = BY_NOTIFICATION.get(notification_type);
  if (prompt_type === undefined) return undefined;
  return { prompt_type, ...(typeof message === "string" ? { question: message } : {}) };
}

/** Names the call that an event is about, where agents give it no id: by its tool and what it asks, or its input. */
export function callKey(event: Payload): string {
  const { tool_name, tool_input } = event;
  const asked = promptOfTool(event)?.question ?? tool_input;
  return checksum(JSON.stringify([typeof tool_name === "string" ? canonicalToolName(tool_name) : "", asked]));
}

/** A longer input is not changed by hand. */
const MOST_EDITED = 20_000;

/** Says that people may change an input; not when it has a secret, since what they see is not what would run. */
export function editableInput(input: Payload, environment: NodeJS.ProcessEnv): { readonly editable?: true } {
  const isClean = createRedactor(environment).value(input) === input;
  return isClean && JSON.stringify(input).length <= MOST_EDITED ? { editable: true } : {};
}

/** How long a hook waits for the answer of a human, and the answer when none comes. */
export interface Hold {
  readonly seconds: number;
  /** The same where the wait hides the agent's own dialog from a user who is there. */
  readonly hiddenSeconds: number;
  readonly fallback?: string;
}

const DEFAULT_SECONDS = { wait: 600, hidden: 20 } as const;

/**
 * How long a hook waits for the answer to a prompt, as the configuration says for all prompts and for its kind;
 * `undefined` when it only reports the prompt.
 */
export function holdOf({ decisions = {}, on_prompt }: MonitorSettings, type: PromptType): Hold | undefined {
  const trigger = typeof on_prompt === "string" ? { action: on_prompt } : on_prompt;
  if (trigger?.action !== "answer") return undefined;
  const source = SOURCE_OF_PROMPT[type];
  const { timeout = trigger.wait, default: fallback = trigger.default } =
    source === undefined ? {} : (decisions[source] ?? {});
  const seconds = secondsOf(timeout) ?? DEFAULT_SECONDS.wait;
  return {
    seconds,
    hiddenSeconds: Math.min(seconds, secondsOf(trigger.hidden_wait) ?? DEFAULT_SECONDS.hidden),
    fallback,
  };
}

/** The longest time that a hook waits for an answer; 0 when none does. */
export function longestHold(settings: MonitorSettings): number {
  return Math.max(0, ...PROMPT_TYPES.map((type) => holdOf(settings, type)?.seconds ?? 0));
}
