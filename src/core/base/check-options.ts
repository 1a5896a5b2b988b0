import { TenterhookError } from "./errors.ts";
import { isRecord } from "./json.ts";
import { didYouMean } from "./suggest.ts";

/**
 * Refuses unknown keys.
 *
 * @throws TenterhookError `unknown_option` with the nearest known key; `invalid_option` when it is no object at all.
 */
export function checkKeys(value: unknown, known: readonly string[], place: string): void {
  if (!isRecord(value)) throw new TenterhookError("invalid_option", `${place} must be an object.`);
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    throw new TenterhookError(
      "unknown_option",
      `${place} has the unknown key ${JSON.stringify(key)}.${didYouMean(key, known)}`,
      { hint: `Known keys: ${known.join(", ")}.` },
    );
  }
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * Refuses a timeout in milliseconds: whole thousands that are no whole hours, and more than a day.
 *
 * @throws TenterhookError `invalid_option`.
 */
export function checkSeconds(seconds: unknown, place: string): void {
  if (typeof seconds !== "number" || seconds < 1000) return;
  if (seconds <= DAY && (seconds % 1000 !== 0 || seconds % HOUR === 0)) return;
  throw new TenterhookError(
    "invalid_option",
    `${place}: timeout is ${seconds} seconds, which look like milliseconds. Write ${seconds / 1000}.`,
  );
}

export function stringList(value: unknown, place: string): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const strings = list.filter((item): item is string => typeof item === "string" && item !== "");
  if (strings.length === 0 || strings.length !== list.length) {
    throw new TenterhookError(
      "invalid_option",
      `${place} must be a string or a list of strings, none of them empty.`,
    );
  }
  return strings;
}
