import { isTenterhookError } from "tenterhook";

/** What a call throws, as its code and message. */
export function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (isTenterhookError(error)) return [error.code, error.message];
    throw error;
  }
  return undefined;
}
