import { errorMessage } from "../../core/base/error-text.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { isRecord } from "../../core/base/json.ts";
import type { RolloutItem, StoredMessage } from "../../core/contracts/transcript.ts";

/** True for data that is a message to a store. */
export function isStoredMessage(value: unknown): value is StoredMessage {
  return isRecord(value) && typeof value.id === "string" && value.id !== "";
}

/** True for data that is an item of a rollout. */
export function isRolloutItem(value: unknown): value is RolloutItem {
  return isRecord(value) && typeof value.type === "string";
}

/**
 * A value as one line of JSON. Characters of which only one half is there survive, as escapes.
 *
 * @throws TenterhookError `invalid_record` when it is no JSON data.
 */
export function toJson(value: unknown, what: string): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new TenterhookError("invalid_record", `${what} is no JSON data: ${errorMessage(cause)}`, { cause });
  }
  throw new TenterhookError("invalid_record", `${what} is no JSON data.`);
}

/** What a text of JSON holds; `undefined` when it is none. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
