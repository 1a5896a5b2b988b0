import type { Clock } from "../base/clock.ts";
import { TenterhookError } from "../base/errors.ts";
import { isErrorResult } from "./failed-call.ts";

/** How long a tool may take to clean up when its time is over. */
const TIDY_MILLISECONDS = 500;

/** What a tool fails with when it took longer than hooks allow. */
export class ToolTimeoutError extends TenterhookError {
  readonly tool_name: string;

  constructor(tool_name: string, seconds: number) {
    const limit = `${seconds} s, which is the limit of the hooks`;
    super("tool_timeout", `${tool_name} took longer than ${limit}. What it has done is not known.`);
    this.name = "ToolTimeoutError";
    this.tool_name = tool_name;
  }
}

/** How long which tool may take, by whose clock. */
export interface TimeLimit {
  readonly tool_name: string;
  /** `undefined`: as long as it needs. */
  readonly seconds: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Runs a tool within a time limit. When the time is over its signal is aborted, and the tool may clean up for a moment. A
 * result that it still returns counts.
 *
 * @throws ToolTimeoutError when the time is over, else what the tool throws.
 */
export async function withinTime<Result>(
  { tool_name, seconds, signal, clock }: TimeLimit,
  run: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  if (seconds === undefined) return run(signal);
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal.reason);
  if (signal.aborted) follow();
  else signal.addEventListener("abort", follow, { once: true });
  let over: ToolTimeoutError | undefined;
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(seconds * 1000, () => {
      const error = new ToolTimeoutError(tool_name, seconds);
      over = error;
      cancel = clock.after(TIDY_MILLISECONDS, () => reject(error));
      controller.abort(error);
    });
  });
  try {
    const result = await Promise.race([run(controller.signal), late]);
    if (over !== undefined && isErrorResult(result)) throw over;
    return result;
  } catch (error) {
    throw over ?? error;
  } finally {
    cancel();
    signal.removeEventListener("abort", follow);
  }
}
