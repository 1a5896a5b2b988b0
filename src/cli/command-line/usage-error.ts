import { TenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";

/** The error for a command line that can't be run: exit code 2. */
export function usageError(message: string, hint?: string): TenterhookError {
  return new TenterhookError("usage_error", message, hint === undefined ? {} : { hint });
}

/** The same for a name that is not known; suggests the nearest one. */
export function unknownName(
  what: string,
  name: string,
  known: Iterable<string>,
  hint: string,
): TenterhookError {
  return usageError(`There is no ${what} ${JSON.stringify(name)}.${didYouMean(name, known)}`, hint);
}
