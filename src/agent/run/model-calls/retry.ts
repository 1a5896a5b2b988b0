import { stackTrace } from "../../../core/base/error-text.ts";
import { backoff } from "../../../node/retry.ts";
import type { ModelFailure } from "../../model/failure.ts";
import { sleep } from "../../model/retries.ts";
import type { OwnLimits } from "../../options.ts";
import { TurnEnded } from "../../turn-ended.ts";
import { fireAnyway } from "../session/fire.ts";
import { emit, type Turn } from "../session/session.ts";
import { switchToFallback } from "./switch.ts";

/**
 * Handles a failed model call. Returns when it is to be repeated: after a pause, because an Error hook wants it, or
 * with the next model of the fallback list.
 *
 * @throws TurnEnded when nothing is left to try.
 */
export async function afterModelFailure(turn: Turn, failure: ModelFailure, attempt: number): Promise<void> {
  const { session } = turn;
  const { limits, clock } = session;
  const wait = retryWait(failure, attempt, limits);
  const { kind: error_type } = failure;
  const message = messageOf(failure, limits);
  const tell = (retry?: { readonly retry_in_ms: number }): void =>
    emit(session, { type: "error", error_type, message, ...retry });
  const decision = await fireAnyway(
    session,
    "Error",
    {
      error_type,
      error_message: message,
      attempt: attempt + 1,
      severity: wait === undefined ? "error" : "warning",
      ...stackTrace(failure),
    },
    turn.firing,
  );
  const pause = wait ?? (decision.retry === undefined ? undefined : backoff(0));
  if (pause !== undefined && !turn.signal.aborted) {
    tell({ retry_in_ms: Math.round(pause) });
    return sleep(pause, turn.signal, clock);
  }
  if (!turn.signal.aborted && (await switchToFallback(turn, message, () => tell({ retry_in_ms: 0 })))) return;
  tell();
  turn.signal.throwIfAborted();
  throw new TurnEnded("error", message, { error_type, cause: failure });
}

/** The message of a failure, with the wait the provider demands when that is too long. */
function messageOf({ message, retry_after_ms = 0 }: ModelFailure, { retry_wait_seconds }: OwnLimits): string {
  if (retry_after_ms <= retry_wait_seconds * 1000) return message;
  const wanted = Math.ceil(retry_after_ms / 1000);
  return `${message.replace(/\.$/, "")}; the provider wants a wait of ${wanted} s, and the limit retry_wait_seconds is ${retry_wait_seconds}.`;
}

/**
 * The pause before an automatic retry, or `undefined` for none. What the provider asks for counts, within the limit;
 * otherwise it doubles each time, with a random spread.
 */
export function retryWait(
  { retryable, retry_after_ms }: ModelFailure,
  attempt: number,
  { model_retries, retry_wait_seconds }: OwnLimits,
): number | undefined {
  if (!retryable || attempt >= model_retries) return undefined;
  const longest = retry_wait_seconds * 1000;
  if (retry_after_ms !== undefined) return retry_after_ms <= longest ? retry_after_ms : undefined;
  return Math.min(longest, backoff(attempt) * (0.75 + Math.random() / 2));
}
