import { setTimeout as sleep } from "node:timers/promises";
import { APICallError } from "@ai-sdk/provider";

const MOST_TRIES = 3;
const FIRST_PAUSE_MS = 500;
/** A provider that wants more patience than this is not asked again. */
const LONGEST_PAUSE_MS = 20_000;

/**
 * Calls a model, and again when another try can help: no connection, 408, 409, 429 and 5xx. Waits as long as the
 * provider asks for, else twice as long each time; an abort ends the waiting.
 */
export async function retried<T>(call: () => PromiseLike<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      const pause = retryPause(error) ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
      if (!canHelp(error) || tries >= MOST_TRIES || pause > LONGEST_PAUSE_MS) throw error;
      await sleep(pause, undefined, { signal });
    }
  }
}

/** True when the same call may succeed later. */
function canHelp(error: unknown): boolean {
  return APICallError.isInstance(error) && error.isRetryable;
}

/** How long the provider asks to wait, in milliseconds: `retry-after-ms`, or `retry-after` as seconds or a date. */
function retryPause(error: unknown): number | undefined {
  if (!APICallError.isInstance(error)) return undefined;
  const { "retry-after-ms": milliseconds, "retry-after": after } = error.responseHeaders ?? {};
  const exact = Number.parseFloat(milliseconds ?? "");
  if (exact >= 0) return exact;
  if (after === undefined) return undefined;
  const seconds = Number(after);
  const pause = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1000;
  return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}
