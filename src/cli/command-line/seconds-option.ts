import { secondsOf } from "../../shared/duration.ts";
import { type Invocation, textOption } from "./command.ts";
import { usageError } from "./usage-error.ts";

/**
 * The seconds of an option such as `--timeout 10m`; `undefined` when it is not given.
 *
 * @throws TenterhookError `usage_error` for a text that is no time.
 */
export function secondsOption(invocation: Invocation, name: string): number | undefined {
  const given = textOption(invocation, name);
  if (given === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(given) ? Number(given) : secondsOf(given);
  if (seconds !== undefined) return seconds;
  throw usageError(
    `--${name}: ${JSON.stringify(given)} is no time.`,
    "A number of seconds, or 30s, 10m, 2h.",
  );
}
