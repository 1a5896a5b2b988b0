import { errorMessage } from "../../core/base/error-text.ts";
import { isRecord } from "../../core/base/json.ts";
import { retryAfter } from "../../node/retry.ts";

/** The kinds of model failures, and whether a retry can help. */
export const MODEL_FAILURES = {
  rate_limit: true,
  overloaded: true,
  server_error: true,
  network: true,
  stream_cut: true,
  response_timeout: true,
  authentication: false,
  billing: false,
  model_not_found: false,
  invalid_request: false,
  context_overflow: false,
  invalid_response: false,
  model_error: false,
} as const satisfies Readonly<Record<string, boolean>>;

/** Why a model did not answer: the `error_type` of Error events. */
export type ModelFailureKind = keyof typeof MODEL_FAILURES;

const BY_STATUS: ReadonlyMap<number, ModelFailureKind> = new Map([
  [400, "invalid_request"],
  [401, "authentication"],
  [402, "billing"],
  [403, "authentication"],
  [404, "model_not_found"],
  [408, "response_timeout"],
  [409, "overloaded"],
  [422, "invalid_request"],
  [429, "rate_limit"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

const NETWORK = /ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR|fetch failed|\bterminated|socket/i;

/** The errors of the AI SDK for an answer that is not what the protocol says. */
const MALFORMED: readonly unknown[] = ["AI_JSONParseError", "AI_TypeValidationError"];

/** How providers report an answer that broke off when they cannot tell why. */
const NO_FINISH = /ended without a finish reason/i;

/**
 * How providers and servers of models say that a prompt is too long. Anthropic: "prompt is too long", "exceed context
 * limit"; OpenAI: "context_length_exceeded", "exceeds the context window"; Google: "input token count … exceeds the
 * maximum"; vLLM, LM Studio, llama.cpp: "maximum context length", "exceeds the available context size".
 */
const OVERFLOW =
  /prompt is too long|context_length_exceeded|exceeds? (?:the )?(?:model's |available |maximum )?context|exceeds the maximum number of tokens|maximum context length|context (?:window|length|size|limit)[^.]*exceed|input is too long|request_too_large|too many (?:input )?tokens/i;

/** How providers say that nothing is left to pay with, some of them with the status of a rate limit or of a bad request. */
const BILLING = /insufficient_quota|credit balance is too low/i;

/** What an error within a stream, which has no status, speaks of. */
const BY_WORDS: readonly (readonly [RegExp, ModelFailureKind])[] = [
  [BILLING, "billing"],
  [/rate.?limit/i, "rate_limit"],
  [/overloaded/i, "overloaded"],
];

export class ModelFailure extends Error {
  readonly kind: ModelFailureKind;
  readonly retryable: boolean;
  /** How long the provider asks to wait. */
  readonly retry_after_ms: number | undefined;

  constructor(
    kind: ModelFailureKind,
    message: string,
    options: { retryable?: boolean; retry_after_ms?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ModelFailure";
    this.kind = kind;
    this.retryable = options.retryable ?? MODEL_FAILURES[kind];
    this.retry_after_ms = options.retry_after_ms;
  }
}

export function modelFailure(thrown: unknown, now: number): ModelFailure {
  if (thrown instanceof ModelFailure) return thrown;
  const message = errorMessage(thrown);
  const fields: Readonly<Record<string, unknown>> = isRecord(thrown) ? thrown : {};
  const { statusCode, isRetryable, responseHeaders } = fields;
  const isGood = typeof statusCode === "number" && statusCode >= 200 && statusCode < 300;
  const text = `${codeOf(fields.data)} ${message}`;
  if (isOverflow(statusCode, text)) return new ModelFailure("context_overflow", message, { cause: thrown });
  if (BILLING.test(text)) return new ModelFailure("billing", message, { cause: thrown });
  if (typeof statusCode === "number" && !isGood) {
    const kind = BY_STATUS.get(statusCode) ?? (statusCode >= 500 ? "server_error" : "model_error");
    const retry_after_ms = retryAfter(isRecord(responseHeaders) ? responseHeaders : undefined, now);
    const retryable = MODEL_FAILURES[kind] || isRetryable === true;
    return new ModelFailure(kind, message, { cause: thrown, retryable, retry_after_ms });
  }
  if (MALFORMED.includes(fields.name)) {
    const problem = `The answer of the model is malformed: ${message}`;
    return new ModelFailure("invalid_response", problem, { cause: thrown, retryable: true });
  }
  if (isNetworkError(thrown)) return new ModelFailure("network", message, { cause: thrown });
  if (isGood || NO_FINISH.test(message)) return new ModelFailure("stream_cut", message, { cause: thrown });
  return new ModelFailure(isRetryable === true ? "network" : "model_error", message, { cause: thrown });
}

export function streamFailure(text: string): ModelFailure {
  const [, named = "server_error"] = BY_WORDS.find(([words]) => words.test(text)) ?? [];
  const kind = isOverflow(undefined, text) ? "context_overflow" : named;
  return new ModelFailure(kind, `The model reported an error: ${text}`);
}

/** Rate limits speak of tokens too, so only some statuses count; an error within a stream has none, or 200. */
function isOverflow(statusCode: unknown, text: string): boolean {
  if (statusCode === 413) return true;
  const possible = statusCode === undefined || statusCode === 200 || statusCode === 400 || statusCode === 422;
  return possible && OVERFLOW.test(text);
}

/** The code that OpenAI gives with an error. */
function codeOf(data: unknown): string {
  const error = isRecord(data) && isRecord(data.error) ? data.error : {};
  return typeof error.code === "string" ? error.code : "";
}

function isNetworkError(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; isRecord(error) && depth < 5; error = error.cause, depth += 1) {
    const text = [error.code, error.message].filter((part) => typeof part === "string").join(" ");
    if (NETWORK.test(text)) return true;
  }
  return false;
}
