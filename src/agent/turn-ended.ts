import { errorMessage } from "../core/base/error-text.ts";
import { isTenterhookError, TenterhookError } from "../core/base/errors.ts";
import type { AnswerEnd } from "./messages/messages.ts";
import type { WaitingFor } from "./waiting-for.ts";

/** Why a turn stops that is not over: `continue` goes on with it. */
type Pause = "suspended" | "budget";

/** True for a stop after which `continue` goes on. */
export function isPause(reason: string): reason is Pause {
  return reason === "suspended" || reason === "budget";
}

/** Ends the turn. Thrown and caught inside the loop; callers never see it. */
export class TurnEnded extends Error {
  readonly reason: AnswerEnd | Pause;
  /** Set for `error`. */
  readonly error_type: string | undefined;

  constructor(
    reason: AnswerEnd | Pause,
    message: string,
    options: { error_type?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "TurnEnded";
    this.reason = reason;
    this.error_type = options.error_type;
  }
}

/** Ends the turn until a human has answered. */
export class TurnSuspended extends TurnEnded {
  readonly waiting_for: WaitingFor;

  constructor(waiting_for: WaitingFor) {
    super("suspended", `${waiting_for.tool_name} waits for a human.`);
    this.waiting_for = waiting_for;
  }
}

export function storeFailed(what: string, cause: unknown): TurnEnded {
  if (cause instanceof TurnEnded) return cause;
  const message = `${what} could not be stored: ${errorMessage(cause)}`;
  return new TurnEnded("error", message, { error_type: "store_failed", cause });
}

/** The ending when another process runs the agent now: this one must store nothing more. */
export function takenOver(): TurnEnded {
  return new TurnEnded("error", "Another process has taken over the agent.", { error_type: "agent_changed" });
}

/** The error for callers when a store failed outside of a turn; every other error as it is. */
export function outsideOfTurn(error: unknown): unknown {
  if (!(error instanceof TurnEnded) || error.error_type !== "store_failed") return error;
  return new TenterhookError("store_failed", error.message, { cause: error.cause });
}

/** The ending of a turn: the interrupt that made everything else fail, what was thrown, or an unexpected error. */
export function endingOf(thrown: unknown, signal: AbortSignal): TurnEnded {
  if (signal.aborted && signal.reason instanceof TurnEnded) return signal.reason;
  if (thrown instanceof TurnEnded) return thrown;
  const name = thrown instanceof Error ? thrown.name : "Error";
  const error_type = isTenterhookError(thrown) ? thrown.code : name;
  return new TurnEnded("error", errorMessage(thrown), { error_type, cause: thrown });
}
