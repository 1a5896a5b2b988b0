import { setTimeout as sleep } from "node:timers/promises";
import { APICallError } from "@ai-sdk/provider";
import { backoff, retryAfter } from "../node/retry.ts";

const MOST_TRIES = 3;
/** A provider that asks for a longer pause is not retried. */
const LONGEST_PAUSE_MS = 20_000;

/**
 * Calls a model, with retries when they can help: no connection, 408, 409, 429 and 5xx. Pauses as long as the provider
 * asks, otherwise twice as long each time; an abort ends the pause.
 */
export async function retried<T>(call: () => PromiseLike<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      if (!APICallError.isInstance(error) || !error.isRetryable || tries >= MOST_TRIES) throw error;
      const pause = retryAfter(error.responseHeaders, Date.now()) ?? backoff(tries - 1);
      if (pause > LONGEST_PAUSE_MS) throw error;
      await sleep(pause, undefined, { signal });
    }
  }
}
