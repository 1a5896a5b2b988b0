import { type Invocation, textOption } from "./command.ts";
import { usageError } from "./usage-error.ts";

/** Any beginning of a name will do: `m`, `min`, `minute`. The first that fits counts. */
const UNITS = [
  ["seconds", 1000],
  ["minutes", 60_000],
  ["hours", 3_600_000],
  ["days", 86_400_000],
  ["weeks", 604_800_000],
  ["ms", 1],
] as const;

/** No date is further away from now. */
const MOST_MILLISECONDS = 8e15;

/** A length of time in milliseconds, such as `30m` or `7d`; `undefined` for anything else. */
export function lengthOfTime(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  const [, milliseconds = Number.NaN] = UNITS.find(([name]) => name.startsWith(unit.toLowerCase())) ?? [];
  const length = Number(number) * milliseconds;
  return length <= MOST_MILLISECONDS ? length : undefined;
}

const DATE = /^\d{4}-\d{2}/;

/**
 * Parses a duration before now or a date: `30m`, `24h`, `7d`, `2026-03-01`.
 *
 * @throws TenterhookError `usage_error`.
 */
export function sinceTime(text: string): Date {
  const length = lengthOfTime(text);
  // Engines make a time of nearly everything: 1 would be the year 2001.
  const date = DATE.test(text.trim()) ? Date.parse(text) : Number.NaN;
  const time = length === undefined ? date : Date.now() - length;
  if (Number.isNaN(time))
    throw usageError(
      `--since: ${JSON.stringify(text)} is not a time.`,
      "Write a length of time such as 30m, 24h or 7d, or a date such as 2026-03-01.",
    );
  return new Date(time);
}

/**
 * The seconds of an option such as `--timeout 10m`; `undefined` when it is not given.
 *
 * @throws TenterhookError `usage_error` for a text that is no time.
 */
export function secondsOption(invocation: Invocation, name: string): number | undefined {
  const given = textOption(invocation, name);
  if (given === undefined) return undefined;
  const length = lengthOfTime(/^[\d.]+$/.test(given) ? `${given}s` : given);
  if (length !== undefined) return length / 1000;
  throw usageError(
    `--${name}: ${JSON.stringify(given)} is not a time.`,
    "Write a number of seconds, or 30s, 10m, 2h.",
  );
}

/**
 * The milliseconds of a time such as `2h`, which needs a unit, since nobody would mean seconds.
 *
 * @throws TenterhookError `usage_error`.
 */
export function neededLength(text: string): number {
  const length = lengthOfTime(text);
  if (length !== undefined && length > 0) return length;
  throw usageError(
    `${JSON.stringify(text)} is not a time.`,
    "Write a number and a unit, such as 30m, 2h or 1d.",
  );
}
