import { APICallError, type LanguageModelV3, type LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { errorMessage } from "../../core/base/error-text.ts";
import { isTenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import { capText } from "../../core/base/text.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import type { JudgeReply, JudgeRequest, Judges } from "../../shared/contracts/judge.ts";
import { wellFormed } from "../../shared/well-formed.ts";
import { modelName } from "./agent-model.ts";
import { ModelFailure } from "./failure.ts";
import { type ModelEnvironment, modelProblem, openModel } from "./open-model.ts";
import { COMPATIBLE, PROVIDERS } from "./providers.ts";
import { countRequest } from "./requests.ts";
import { usualWait, withRetries } from "./retries.ts";

/** In characters. */
const LONGEST_ANSWER = 20_000;
/** Includes what a model thinks before it answers. */
const MOST_OUTPUT_TOKENS = 8192;
const MOST_MODELS = 32;

/**
 * Models that give verdicts, by name. Structured output of the provider forces the shape of the answer. Failed calls
 * are retried until the signal is aborted. Keys come from the environment and appear in no message.
 */
export function createJudges({ environment }: { readonly environment: ModelEnvironment }): Judges {
  const open = modelKeeper(environment);
  return {
    problem: ({ model, base_url, root }) => modelProblem(model, place(environment, { base_url, root })),
    async ask(request) {
      const { signal } = request;
      try {
        const model = await open(request);
        const ask = () => {
          // It does not wait for `rate_limit`: its hook would time out, and a gate refuse.
          countRequest(modelName(model), performance.now());
          return model.doGenerate(wellFormed(callOf(request)));
        };
        return replyOf(await withRetries(ask, { signal, wait: waitForJudge }));
      } catch (error) {
        signal.throwIfAborted();
        const cause = error instanceof ModelFailure ? (error.cause ?? error) : error;
        throw judgeFailure(cause, request.model, environment);
      }
    },
  };
}

type Named = Pick<JudgeRequest, "model" | "base_url" | "root">;

function place(
  environment: ModelEnvironment,
  { base_url, root }: Partial<Record<"base_url" | "root", string | undefined>>,
) {
  return { environment, base_url, root };
}

/** Opens each model once; a model that could not be opened is tried again. */
function modelKeeper(environment: ModelEnvironment): (named: Named) => Promise<LanguageModelV3> {
  const opened = new Map<string, Promise<LanguageModelV3>>();
  return (named) => {
    const key = JSON.stringify([named.model, named.base_url, named.root]);
    const known = opened.get(key);
    if (known !== undefined) return known;
    const opening = openModel(named.model, place(environment, named));
    if (opened.size >= MOST_MODELS) opened.clear();
    opened.set(key, opening);
    opening.catch(() => opened.delete(key));
    return opening;
  };
}

function callOf({ system, prompt, schema, signal }: JudgeRequest) {
  return {
    prompt: [
      { role: "system" as const, content: system },
      { role: "user" as const, content: [{ type: "text" as const, text: prompt }] },
    ],
    responseFormat: { type: "json" as const, ...(schema === undefined ? {} : { schema, name: "verdict" }) },
    maxOutputTokens: MOST_OUTPUT_TOKENS,
    // OpenAI stores requests by default.
    providerOptions: { openai: { store: false } },
    abortSignal: signal,
  };
}

function replyOf({ content, usage, finishReason, response }: LanguageModelV3GenerateResult): JudgeReply {
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const fault = faultOf(finishReason, response?.body);
  if (fault !== undefined) throw new HookFailureError("bad_output", fault);
  if (text.length > LONGEST_ANSWER)
    throw new HookFailureError(
      "bad_output",
      `The model answered ${text.length} characters; a verdict has at most ${LONGEST_ANSWER}.`,
    );
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined || outputTokens.total === undefined) return { text };
  return { text, usage: { input_tokens: inputTokens.total, output_tokens: outputTokens.total } };
}

/** Why an answer does not count. A server that gives no finish reason is trusted. */
function faultOf(
  { unified, raw }: LanguageModelV3GenerateResult["finishReason"],
  body: unknown,
): string | undefined {
  if (refused(body)) return "The model refused to answer.";
  if (unified === "stop" || (unified === "other" && raw === undefined)) return undefined;
  return (
    FAULTS[unified] ?? `The model's answer did not end as a verdict does (${capText(raw ?? unified, 50)}).`
  );
}

const FAULTS: Readonly<Record<string, string>> = {
  length: "The model's answer was cut off before its end.",
  "content-filter": "The provider's filter held the answer back.",
};

/** OpenAI-compatible servers put a refusal next to the text. */
function refused(body: unknown): boolean {
  const choices = isRecord(body) && Array.isArray(body.choices) ? body.choices : [];
  return choices.some((choice: unknown) => {
    const message = isRecord(choice) ? choice.message : undefined;
    return isRecord(message) && typeof message.refusal === "string" && message.refusal !== "";
  });
}

/** A judge is not asked again when its answer can't be read: the hook fails at once. */
function waitForJudge(failure: ModelFailure, attempt: number): number | undefined {
  const { cause } = failure;
  return APICallError.isInstance(cause) && cause.isRetryable ? usualWait(failure, attempt) : undefined;
}

const LONGEST_MESSAGE = 500;

/** HTTP statuses that mean the model cannot be used; any other is an error. */
const MISSING: Readonly<Record<number, string>> = {
  401: "the key was refused",
  403: "the key may not use it",
  404: "there is no such model at this address",
};

/** Converts an error to the failure of a hook. The message never contains a key, even if the server echoes it. */
function judgeFailure(error: unknown, model: string, environment: ModelEnvironment): HookFailureError {
  if (error instanceof HookFailureError) return error;
  const message = capText(withoutKeys(errorMessage(error), environment), LONGEST_MESSAGE);
  if (isTenterhookError(error)) return new HookFailureError("missing", message);
  if (!APICallError.isInstance(error)) return new HookFailureError("error", `${model} failed: ${message}`);
  const { statusCode } = error;
  if (statusCode === undefined) return new HookFailureError("error", `${model} can't be reached: ${message}`);
  // A successful response that cannot be read.
  if (statusCode < 400)
    return new HookFailureError("bad_output", `${model} gave no readable answer: ${message}`);
  const missing = MISSING[statusCode];
  return missing === undefined
    ? new HookFailureError("error", `${model} answered with status ${statusCode}: ${message}`)
    : new HookFailureError(
        "missing",
        `${model} can't be used, ${missing} (status ${statusCode}): ${message}`,
      );
}

function withoutKeys(text: string, environment: ModelEnvironment): string {
  const names = [COMPATIBLE.keys, ...[...PROVIDERS.values()].map(({ keys }) => keys)].flat();
  return names.reduce((safe, name) => {
    const key = environment[name]?.trim();
    return key === undefined || key === "" ? safe : safe.replaceAll(key, `[${name}]`);
  }, text);
}
