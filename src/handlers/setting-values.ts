import { TenterhookError } from "../core/base/errors.ts";
import { isRecord } from "../core/base/json.ts";
import type { HandlerSettings } from "./handler-types.ts";

/**
 * A text that must be there and say something.
 *
 * @throws TenterhookError `invalid_option`, as every function of this file.
 */
export function textSetting(settings: HandlerSettings, key: string): string {
  const value = settings[key];
  if (typeof value !== "string" || value.trim() === "") throw invalid(`${key} must be a text`);
  return value;
}

/** A text that may be there. */
export function optionalText(settings: HandlerSettings, key: string): string | undefined {
  return settings[key] === undefined ? undefined : textSetting(settings, key);
}

/** Texts by name; none when the key is not there. */
export function textsByName(settings: HandlerSettings, key: string): Readonly<Record<string, string>> {
  const value = settings[key] ?? {};
  if (!isRecord(value)) throw invalid(`${key} must be an object of texts`);
  const texts: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== "string") throw invalid(`${name} in ${key} must be a text`);
    texts[name] = text;
  }
  return texts;
}

/** A whole number from 0 to `most` that may be there. */
export function optionalCount(settings: HandlerSettings, key: string, most: number): number | undefined {
  const value = settings[key];
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > most)
    throw invalid(`${key} must be a whole number from 0 to ${most}`);
  return value;
}

function invalid(problem: string): TenterhookError {
  return new TenterhookError("invalid_option", `${problem}.`);
}
