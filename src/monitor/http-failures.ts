import type { ErrorHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type ErrorCode, isTenterhookError } from "../core/base/errors.ts";

const MOST_BYTES = 1_000_000;

export const limited = bodyLimit({
  maxSize: MOST_BYTES,
  onError: (context) => context.json(failure("too_large", "The body is too large."), 413),
});

/**
 * Answers with the daemon's own errors.
 *
 * @param isKnown clients try again and again: the same failure of the store is reported once.
 */
export function failing(
  onError: (error: Error) => void,
  isKnown: (message: string) => boolean = () => false,
): ErrorHandler {
  return (error, context) => {
    if (isTenterhookError(error)) {
      if (error.code === "store_failed" && !isKnown(error.message)) onError(error);
      return context.json(failure(error.code, error.message, error.hint), STATUS.get(error.code) ?? 400);
    }
    // A client that went away has no request any more.
    if (!context.req.raw.signal.aborted) onError(error);
    return context.json(failure("internal_error", "The daemon failed; its log says why."), 500);
  };
}

const STATUS: ReadonlyMap<ErrorCode, ContentfulStatusCode> = new Map([
  ["unknown_decision", 404],
  ["decision_closed", 409],
  ["call_changed", 409],
  ["no_prompt", 409],
  ["not_a_person", 403],
  ["not_allowed", 403],
  ["store_failed", 503],
]);

export function failure(code: string, message: string, hint?: string) {
  return { error: { code, message, hint } };
}
