import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { ProgramError } from "../../node/process/program-error.ts";

/** What a hook failed by when its program could not be started; any other error stays what it is. */
export function startFailure(error: unknown): unknown {
  return error instanceof ProgramError
    ? new HookFailureError(error.kind, error.message, { cause: error })
    : error;
}
