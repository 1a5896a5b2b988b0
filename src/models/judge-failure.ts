import { APICallError } from "@ai-sdk/provider";
import { errorMessage } from "../core/base/error-text.ts";
import { isTenterhookError } from "../core/base/errors.ts";
import { capText } from "../core/base/text.ts";
import { HookFailureError } from "../core/events/hook-failure-error.ts";
import type { ModelEnvironment } from "./open-model.ts";
import { COMPATIBLE, PROVIDERS } from "./providers.ts";

const LONGEST_MESSAGE = 500;

/** HTTP statuses that mean the model cannot be used; any other is an error. */
const MISSING: Readonly<Record<number, string>> = {
  401: "the key was refused",
  403: "the key may not use it",
  404: "there is no such model at this address",
};

/** Converts an error to the failure of a hook. The message never contains a key, even if the server echoes it. */
export function judgeFailure(error: unknown, model: string, environment: ModelEnvironment): HookFailureError {
  if (error instanceof HookFailureError) return error;
  const said = capText(withoutKeys(errorMessage(error), environment), LONGEST_MESSAGE);
  if (isTenterhookError(error)) return new HookFailureError("missing", said);
  if (!APICallError.isInstance(error)) return new HookFailureError("error", `${model} failed: ${said}`);
  const { statusCode } = error;
  if (statusCode === undefined) return new HookFailureError("error", `${model} can't be reached: ${said}`);
  // A successful response that cannot be read.
  if (statusCode < 400)
    return new HookFailureError("bad_output", `${model} gave no readable answer: ${said}`);
  const missing = MISSING[statusCode];
  return missing === undefined
    ? new HookFailureError("error", `${model} answered with status ${statusCode}: ${said}`)
    : new HookFailureError("missing", `${model} can't be used, ${missing} (status ${statusCode}): ${said}`);
}

function withoutKeys(text: string, environment: ModelEnvironment): string {
  const names = [COMPATIBLE.keys, ...[...PROVIDERS.values()].map(({ keys }) => keys)].flat();
  return names.reduce((safe, name) => {
    const key = environment[name]?.trim();
    return key === undefined || key === "" ? safe : safe.replaceAll(key, `[${name}]`);
  }, text);
}
