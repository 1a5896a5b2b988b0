import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { isRecord } from "../../core/base/json.ts";
import { field, type Issue, issuesIn, neededField, pathText, schemas } from "../../core/base/schemas.ts";

export interface ScriptToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Default: `call_1`, `call_2`, … */
  readonly id?: string;
}

/** What the scripted model does in one call: say something, call tools or fail. */
export interface ScriptStep {
  readonly text?: string;
  readonly tool_calls?: readonly ScriptToolCall[];
  /** Fails as a provider does with this HTTP status. Not together with other keys. */
  readonly error?: { readonly status: number; readonly message: string };
  /** Waits before it answers or fails. */
  readonly delay_ms?: number;
}

export type ScriptRequest = LanguageModelV3CallOptions;

/** A step, or a function that makes it from the request. */
export type Script = ScriptStep | ((request: ScriptRequest) => ScriptStep | Promise<ScriptStep>);

const toolCall = schemas.object({
  name: neededField(schemas.text, "The name of the tool."),
  input: neededField(schemas.map(schemas.anything, "an object"), "Its input."),
  id: field(schemas.text, "The id of the call."),
});

const LONGEST_DELAY = 600_000;
const DELAY = {
  is: "number",
  min: 0,
  max: LONGEST_DELAY,
  must: `a number of milliseconds from 0 to ${LONGEST_DELAY}`,
} as const;

const STEP = {
  ...schemas.object({
    text: field(schemas.string, "What the model says."),
    tool_calls: field(schemas.list(toolCall, "a list of { name, input, id? }"), "The tools it calls."),
    error: field(
      schemas.object({
        status: neededField(schemas.between(400, 599), "The HTTP status."),
        message: neededField(schemas.string, "The provider's message."),
      }),
      "How the call fails.",
    ),
    delay_ms: field(DELAY, "How long it waits before it answers or fails."),
  }),
  must: "an object with text, tool_calls or error",
} as const;

export function stepIssue(step: unknown): Issue | undefined {
  const [issue] = issuesIn(step, STEP);
  if (issue !== undefined || !isRecord(step)) return issue;
  const says = step.text !== undefined || step.tool_calls !== undefined;
  if (!says && step.error === undefined) return { path: [], text: "needs text, tool_calls or error." };
  if (says && step.error !== undefined)
    return { path: ["error"], text: "must come without text and tool_calls." };
  return undefined;
}

/** An issue as a sentence: `tool_calls[0].name is missing; it must be a non-empty string.` */
export function issueSentence({ path, text }: Issue): string {
  return `${path.length === 0 ? "It" : pathText(path)} ${text}`;
}

export function isStep(step: unknown): step is ScriptStep {
  return stepIssue(step) === undefined;
}
