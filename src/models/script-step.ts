import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { isRecord } from "../core/base/json.ts";
import { didYouMean } from "../core/base/suggest.ts";

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

/** What is wrong with a step, and where in it. */
export interface StepProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const LONGEST_DELAY = 600_000;

const STEP_KEYS: Readonly<Record<string, (value: unknown) => StepProblem | undefined>> = {
  text: (value) => (typeof value === "string" ? undefined : at([], "must be a string")),
  tool_calls: toolCallsProblem,
  error: errorProblem,
  delay_ms: (value) =>
    typeof value === "number" && value >= 0 && value <= LONGEST_DELAY
      ? undefined
      : at([], `must be a number of milliseconds from 0 to ${LONGEST_DELAY}`),
};

/** Returns what is wrong with a step; the message continues a sentence that begins with the path. */
export function stepProblem(step: unknown): StepProblem | undefined {
  if (!isRecord(step)) return at([], "must be an object with text, tool_calls or error");
  const problem = keysProblem(step, STEP_KEYS);
  if (problem !== undefined) return problem;
  const says = step.text !== undefined || step.tool_calls !== undefined;
  if (!says && step.error === undefined) return at([], "needs text, tool_calls or error");
  if (says && step.error !== undefined) return at(["error"], "must come without text and tool_calls");
  return undefined;
}

/** A problem as a sentence: `tool_calls[0].name must be a string.` */
export function problemSentence({ path, message }: StepProblem): string {
  const place = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  const sentence = `${place === "" ? "It" : place.replace(/^\./, "")} ${message}`;
  return sentence.endsWith("?") ? sentence : `${sentence}.`;
}

export function isStep(step: unknown): step is ScriptStep {
  return stepProblem(step) === undefined;
}

function toolCallsProblem(value: unknown): StepProblem | undefined {
  if (!Array.isArray(value)) return at([], "must be a list of { name, input, id? }");
  for (const [index, call] of value.entries()) {
    const problem = callProblem(call);
    if (problem !== undefined) return at([index, ...problem.path], problem.message);
  }
  return undefined;
}

function callProblem(call: unknown): StepProblem | undefined {
  const isText = (value: unknown) =>
    typeof value === "string" && value !== "" ? undefined : at([], "must be a string");
  if (!isRecord(call)) return at([], "must be an object { name, input, id? }");
  return (
    keysProblem(call, {
      name: isText,
      input: (value) => (isRecord(value) ? undefined : at([], "must be an object")),
      id: isText,
    }) ?? missing(call, ["name", "input"])
  );
}

function errorProblem(value: unknown): StepProblem | undefined {
  if (!isRecord(value)) return at([], "must be an object { status, message }");
  return (
    keysProblem(value, {
      status: (status) =>
        Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
          ? undefined
          : at([], "must be a status of HTTP from 400 to 599"),
      message: (message) => (typeof message === "string" ? undefined : at([], "must be a string")),
    }) ?? missing(value, ["status", "message"])
  );
}

function keysProblem(
  value: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, (value: unknown) => StepProblem | undefined>>,
): StepProblem | undefined {
  for (const [key, item] of Object.entries(value)) {
    const check = Object.hasOwn(known, key) ? known[key] : undefined;
    if (check === undefined)
      return at([key], `is an unknown key.${didYouMean(key, Object.keys(known))}`.replace(/\.$/, ""));
    const problem = item === undefined ? undefined : check(item);
    if (problem !== undefined) return at([key, ...problem.path], problem.message);
  }
  return undefined;
}

function missing(value: Readonly<Record<string, unknown>>, keys: readonly string[]): StepProblem | undefined {
  const key = keys.find((name) => value[name] === undefined);
  return key === undefined ? undefined : at([], `needs ${key}`);
}

function at(path: StepProblem["path"], message: string): StepProblem {
  return { path, message };
}
